namespace AsyncLog.Tests.Transport;

/// <summary>What the stub does with one request.</summary>
internal sealed record StubAnswer
{
    public const string Refused = "refused";
    public const string Dns = "dns";
    public const string Unexpected = "unexpected";
    public const string Silent = "silent";
    public const string Closed = "closed";
    public const string Reset = "reset";
    public const string ResetStream = "reset stream";

    public static StubAnswer Ok { get; } = new() { Body = [0x0A, 0x00], Headers = [new("Content-Type", "application/x-protobuf")] };

    public static StubAnswer GrpcOk { get; } = new() { Body = [0, 0, 0, 0, 0], Headers = [new("Content-Type", "application/grpc")], Trailers = [new("grpc-status", "0")] };

    public int Status { get; init; } = 200;

    public IReadOnlyList<KeyValuePair<string, string>> Headers { get; init; } = [];

    public byte[] Body { get; init; } = [];

    /// <summary>How often the body is sent.</summary>
    public int Repeat { get; init; } = 1;

    public IReadOnlyList<KeyValuePair<string, string>> Trailers { get; init; } = [];

    /// <summary>What goes wrong instead of an answer.</summary>
    public string? Failure { get; init; }

    /// <summary>What is sent instead of an answer of HTTP, before the connection is closed; null: nothing.</summary>
    public byte[]? Raw { get; init; }

    /// <summary>Whether the status and the headers go out before anything else, the end of the answer included.</summary>
    public bool BeginsWithHeaders { get; init; }

    /// <summary>Whether it is the answer to this request and all that follow.</summary>
    public bool IsForEver { get; init; }

    /// <summary>How long it is the answer; null: once.</summary>
    public TimeSpan? For { get; init; }

    /// <summary>The time after which the answer begins; null: at once.</summary>
    public TimeSpan? After { get; init; }

    /// <summary>Whether the answer stops after its body, without an end.</summary>
    public bool Stalls { get; init; }

    public static StubAnswer Code(int status) => new() { Status = status };

    public static StubAnswer Grpc(int status) => new() { Headers = [new("grpc-status", FormattableString.Invariant($"{status}")), new("Content-Type", "application/grpc")] };

    public static StubAnswer Failing(string failure) => new() { Failure = failure };
}
