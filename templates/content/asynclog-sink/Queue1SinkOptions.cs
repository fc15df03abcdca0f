using AsyncLog;

namespace Company.Sink1;

/// <summary>Options, section <c>Logging:Queue1</c>. Levels, format, queue bounds, spool and shutdown are in the base class.</summary>
public sealed class Queue1SinkOptions : SinkOptions
{
    public Queue1SinkOptions() => Format = "Json";

    public string Host { get; set; } = "localhost";

    public int Port { get; set; } = 5170;
}
