using System.Globalization;
using Microsoft.Extensions.Logging;

namespace Replay;

/// <summary>
/// Generates logs in the manner of four systems: a distributed file system (hdfs), a login daemon (openssh), a compute service (openstack) and a coordination
/// service (zookeeper). The same name, seed and count give the same lines on every machine.
/// </summary>
/// <remarks>
/// Each line draws one pattern by its weight and fills its placeholders. As in real logs, few patterns make most lines, few hosts and users make most values, and an
/// identifier returns in the lines that follow its first use. Values are text or <see cref="long"/>.
/// </remarks>
internal static class LogGenerator
{
    private const LogLevel Debug = LogLevel.Debug;
    private const LogLevel Information = LogLevel.Information;
    private const LogLevel Warning = LogLevel.Warning;
    private const LogLevel Error = LogLevel.Error;
    private const LogLevel Critical = LogLevel.Critical;

    // A name with a blank, quotes, letters beyond ASCII and an emoji: what people and attackers type.
    private static readonly string[] Users =
        ["root", "admin", "deploy", "postgres", "backup", "test", "oracle", "ubuntu", "Jürgen", "мария", "user name", "\"quoted\"", "🦊"];

    private static readonly string[] Methods = ["GET", "GET", "GET", "POST", "PUT", "DELETE"];

    private static readonly Dictionary<string, Pattern[]> Systems = new(StringComparer.OrdinalIgnoreCase)
    {
        ["hdfs"] =
        [
            new(240, Information, "dfs.DataNode.Receiver", "BlockReceiving", "Receiving block {Block} from {Source} for {Destination}", Block, EndPoint, EndPoint),
            new(230, Information, "dfs.DataNode.Receiver", "BlockReceived", "Block {Block} received: {Size} bytes from {Source}", Block, BlockSize, Address),
            new(220, Information, "dfs.NameNode", "ReplicaAdded", "Replica of {Block} added on {Node}, size {Size}", Block, EndPoint, BlockSize),
            new(160, Information, "dfs.DataNode.Responder", "ResponderEnded", "Responder {Index} of {Block} ends", static draw => draw.Number(0, 2), Block),
            new(60, Debug, "dfs.NameNode", "BlockAllocated", "Allocated {Block} for {Path}", NewBlock, Path),
            new(30, Information, "dfs.DataNode", "BlockServed", "{Node} served {Block} to {Client} in {Milliseconds} ms", EndPoint, Block, Address, Milliseconds),
            new(30, Information, "dfs.NameNode", "BlockInvalidated", "{Block} is added to the invalid set of {Node}", Block, EndPoint),
            new(12, Warning, "dfs.DataNode", "ServeFailed", "{Node} could not serve {Block} to {Client}: connection reset", EndPoint, Block, Address),
            new(6, Warning, "dfs.DataNode.Scanner", "ChecksumMismatch", "Checksum of {Block} differs at offset {Offset}", Block, BlockSize),
            new(4, Error, "dfs.DataNode.Receiver", "ReceiveFailed", "Write of {Block} failed after {Written} bytes", Block, BlockSize),
            new(1, Critical, "dfs.NameNode", "UnderReplicated", "{Count} blocks have no replica left", static draw => draw.Number(1, 20)),
        ],
        ["openssh"] =
        [
            new(180, Information, "sshd.auth", "PasswordFailed", "Password of {User} refused, from {Address} port {Port}", User, Address, Port),
            new(150, Information, "sshd.auth", "UserUnknown", "Unknown user {User}, from {Address}", User, Address),
            new(140, Information, "sshd.session", "Disconnected", "Disconnected by {Address} port {Port}: {Reason}", Address, Port, static draw => draw.Skewed("by request", "time-out", "too many attempts")),
            new(120, Information, "sshd.session", "Connected", "Connection from {Address} port {Port}", Address, Port),
            new(60, Warning, "sshd.auth", "ReverseLookupFailed", "Name of {Address} does not resolve back to it", Address),
            new(40, Debug, "sshd.kex", "Negotiated", "Key exchange {Algorithm}, cipher {Cipher}", static draw => draw.Skewed("curve25519-sha256", "ecdh-sha2-nistp256"), static draw => draw.Skewed("chacha20-poly1305", "aes256-gcm")),
            new(20, Information, "sshd.auth", "KeyAccepted", "Public key {Fingerprint} of {User} accepted", static draw => "SHA256:" + draw.Hex(16), User),
            new(12, Error, "sshd.auth", "TooManyAttempts", "{Count} attempts of {User} from {Address}, limit reached", static draw => draw.Number(4, 7), User, Address),
            new(3, Critical, "sshd", "BindFailed", "Cannot listen on port {Port}", Port),
        ],
        ["openstack"] =
        [
            new(260, Information, "compute.api.server", "RequestServed", "{Client} \"{Method} {Path}\" {Status} in {Milliseconds} ms, {Length} bytes [{Request}]", Address, Method, ApiPath, Status, Milliseconds, static draw => draw.Number(0, 100_000), RequestId),
            new(90, Information, "compute.image.cache", "ImageChecked", "Image {Image} at {Path}: in use on this node {Local}, elsewhere {Remote}", Instance, Path, static draw => draw.Number(0, 4), static draw => draw.Number(0, 9)),
            new(60, Information, "compute.manager", "InstanceState", "Instance {Instance}: state {State} [{Request}]", Instance, static draw => draw.Skewed("active", "stopped", "paused", "deleted"), RequestId),
            new(50, Debug, "compute.claims", "ClaimGranted", "Claim of {Memory} MB and {Cpus} CPUs granted to {Instance}", static draw => draw.Number(512, 65_536), static draw => draw.Number(1, 32), Instance),
            new(40, Information, "compute.driver", "InstanceCreated", "Instance {Instance} created in {Milliseconds} ms", NewInstance, Milliseconds),
            new(20, Warning, "compute.image.cache", "BaseFileUnknown", "Base file {Path} belongs to no known image", Path),
            new(10, Warning, "compute.scheduler", "NoHost", "No host fits {Instance}: {Tried} were tried", Instance, static draw => draw.Number(1, 400)),
            new(5, Error, "compute.driver", "InstanceFailed", "Instance {Instance} did not start: {Reason}", Instance, static draw => draw.Skewed("disk is full", "network has no address left", "image is damaged")),
        ],
        ["zookeeper"] =
        [
            new(130, Warning, "coordination.SendWorker", "Interrupted", "Send worker {Worker} was interrupted while its queue was empty", Session),
            new(120, Information, "coordination.Server", "Accepted", "Connection from {Client}", EndPoint),
            new(110, Information, "coordination.Server", "SessionOpened", "Session {Session} of {Client}, time-out {Timeout} ms", NewSession, EndPoint, static draw => draw.Number(2, 20) * 2000),
            new(90, Information, "coordination.Server", "SessionClosed", "Session {Session} of {Client} closed", Session, EndPoint),
            new(60, Warning, "coordination.Server", "EndOfStream", "Client {Client} of session {Session} closed its end", EndPoint, Session),
            new(40, Information, "coordination.Election", "Vote", "Vote for {Leader} in round {Round}, last transaction {Transaction}", static draw => draw.Number(1, 5), static draw => draw.Number(1, 300), Session),
            new(30, Debug, "coordination.Peer", "Ping", "Ping of {Peer}: {Milliseconds} ms", static draw => draw.Number(1, 5), Milliseconds),
            new(15, Information, "coordination.Election", "TimeOut", "No answer for {Milliseconds} ms, asking again", static draw => 200L << (int)draw.Number(0, 8)),
            new(10, Information, "coordination.Snapshot", "Written", "Snapshot {Path} of transaction {Transaction} written", Path, Session),
            new(4, Error, "coordination.Server", "Unexpected", "Request {Request} of session {Session} failed", RequestId, Session),
        ],
    };

    /// <summary>The names of the systems.</summary>
    public static IEnumerable<string> Names => Systems.Keys;

    /// <summary>Generates a log; null when there is no system of that name.</summary>
    public static ReplayLog? TryGenerate(string name, ulong seed, int count)
    {
        if (!Systems.TryGetValue(name, out var patterns))
            return null;
        var draw = new Draw(seed);
        var total = patterns.Sum(static pattern => pattern.Weight);
        var lines = new ReplayLine[count];
        for (var i = 0; i < count; i++)
        {
            var at = 0;
            for (var left = draw.Number(0, total - 1) - patterns[0].Weight; left >= 0; left -= patterns[at].Weight)
                at++;
            var pattern = patterns[at];
            lines[i] = new ReplayLine(pattern.Level, pattern.Category, new EventId(at + 1, pattern.Event), pattern.Template, [.. pattern.Values.Select(value => value(draw))]);
        }
        return new ReplayLog(name.ToLowerInvariant(), lines);
    }

    private static object Address(Draw draw) => draw.Skewed(draw.Hosts);

    private static object EndPoint(Draw draw) => string.Create(CultureInfo.InvariantCulture, $"{draw.Skewed(draw.Hosts)}:{draw.Skewed("50010", "3888", "2181", "40122")}");

    private static object Port(Draw draw) => draw.Number(1024, 65_535);

    private static object User(Draw draw) => draw.Skewed(Users);

    private static object Method(Draw draw) => draw.Skewed(Methods);

    private static object Status(Draw draw) => draw.Number(0, 99) switch { < 90 => 200L, < 95 => 202L, < 99 => 404L, _ => 500L };

    private static object BlockSize(Draw draw) => draw.Number(0, 9) < 8 ? 67_108_864L : draw.Number(1, 67_108_864);

    // Durations have a long tail: 1 ms to about a minute.
    private static object Milliseconds(Draw draw) => (1L << (int)draw.Number(0, 15)) + draw.Number(0, 99);

    private static object Path(Draw draw) => $"/data/{draw.Skewed("user", "tmp", "history", "проект")}/{draw.Hex(4)}";

    private static object ApiPath(Draw draw) => "/v2/servers/" + draw.Skewed("detail", draw.Hex(8));

    private static object RequestId(Draw draw) => "req-" + draw.Hex(16);

    private static object Block(Draw draw) => "blk_" + draw.Recent();

    private static object NewBlock(Draw draw) => "blk_" + draw.New();

    private static object Instance(Draw draw) => "i-" + draw.Recent();

    private static object NewInstance(Draw draw) => "i-" + draw.New();

    private static object Session(Draw draw) => "0x" + draw.Recent();

    private static object NewSession(Draw draw) => "0x" + draw.New();

    private sealed record Pattern(int Weight, LogLevel Level, string Category, string Event, string Template, params Func<Draw, object>[] Values);

    /// <summary>Draws values from SplitMix64, whose sequence does not depend on the version of .NET.</summary>
    private sealed class Draw
    {
        private const int RecentCount = 8;
        private readonly string[] _recent = new string[RecentCount];
        private ulong _state;

        public Draw(ulong seed)
        {
            _state = seed;
            Hosts = [.. Enumerable.Range(0, 40).Select(_ => $"10.{Number(0, 3)}.{Number(0, 255)}.{Number(1, 254)}")];
            for (var i = 0; i < RecentCount; i++)
                New();
        }

        public string[] Hosts { get; }

        public long Number(long least, long most) => least + (long)(Next() % (ulong)(most - least + 1));

        /// <summary>One of the choices; the first ones are drawn far more often than the last.</summary>
        public string Skewed(params string[] choices)
        {
            var uniform = (Next() >> 11) / (double)(1UL << 53);
            return choices[(int)(uniform * uniform * uniform * choices.Length)];
        }

        public string Hex(int bytes)
        {
            var text = "";
            while (text.Length < bytes * 2)
                text += Next().ToString("x16", CultureInfo.InvariantCulture);
            return text[..(bytes * 2)];
        }

        /// <summary>An identifier that takes the place of an earlier one among the recent.</summary>
        public string New() => _recent[Number(0, RecentCount - 1)] = Hex(8);

        /// <summary>An identifier that was used shortly before; one line in ten brings a new one.</summary>
        public string Recent() => Number(0, 9) == 0 ? New() : _recent[Number(0, RecentCount - 1)] ?? New();

        private ulong Next()
        {
            var mixed = _state += 0x9E3779B97F4A7C15;
            mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9;
            mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB;
            return mixed ^ (mixed >> 31);
        }
    }
}
