using AsyncLog.Tests.Checks;
using AsyncLog.Tests.Disk;
using AsyncLog.Tests.Run;

namespace AsyncLog.Tests.Transport;

/// <summary>How a peer answers.</summary>
internal enum PeerMood
{
    Takes,
    Fails,
    TakesPart,
    TakesAndDies,
    RejectsSome,
    RejectsAll,
    Hangs,
}

/// <summary>The destination of a transport: what arrived, connection by connection, and how it answers at present.</summary>
internal sealed class Peer(SimulationRun run)
{
    private readonly List<Inode> _connections = [];

    public PeerMood Mood { get; private set; }

    /// <summary>Records that it has, though the sink was not told: they come again.</summary>
    public HashSet<int> Uncertain { get; } = [];

    /// <summary>When an attempt at a batch ended last.</summary>
    public long AttemptedAt { get; set; }

    public override string ToString() => $"the peer {Mood}";

    /// <summary>Begins a connection: nothing that comes completes what came before.</summary>
    public void Connect()
    {
        if (_connections is [.., { Length: > 0 } last] && last.Bytes[^1] != (byte)'\n')
            last.Tears++;
        var connection = new Inode((ulong)_connections.Count + 1, isDirectory: false, run.Clock.GetUtcNow());
        connection.Runs.Add((0, _connections.Count));
        _connections.Add(connection);
    }

    public void Receive(ReadOnlySpan<byte> bytes)
    {
        var changed = bytes.ToArray();
        var first = Array.IndexOf(changed, (byte)'\n') + 1;
        var second = Array.IndexOf(changed, (byte)'\n', first) + 1;
        changed = run.Mutant switch
        {
            Mutant.ArrivalTwice when first > 0 => [.. changed[..first], .. changed],
            Mutant.ArrivalLost when first > 0 => changed[first..],
            Mutant.ArrivalsSwapped when second > 0 => [.. changed[first..second], .. changed[..first], .. changed[second..]],
            _ => changed,
        };
        _connections[^1].Append(changed);
    }

    /// <summary>Some bytes arrive, and the connection breaks before the sink is told.</summary>
    public void ReceiveAndBreak(ReadOnlySpan<byte> bytes)
    {
        Receive(bytes);
        Connect();
    }

    public void Change()
    {
        var moods = Enum.GetValues<PeerMood>();
        Mood = run.Choices.Chance(0.3) ? PeerMood.Takes : moods[run.Choices.Below(moods.Length)];
    }

    public void Recover()
    {
        if (run.Mutant != Mutant.TransportThatNeverRecovers || Mood != PeerMood.Fails)
            Mood = PeerMood.Takes;
    }

    public TimeSpan Duration() => run.Choices.Time(TimeSpan.FromMicroseconds(10), TimeSpan.FromMilliseconds(5));

    public Arrivals Read(bool mayReorder = false)
    {
        // What is under way on the last connection ends later, so it may be torn now.
        if (_connections.Count == 0)
            return new Arrivals(run.Records);
        _connections[^1].Tears++;
        var arrivals = FileArrivals.Read(_connections, run.Records, mayReorder);
        _connections[^1].Tears--;
        return arrivals;
    }
}
