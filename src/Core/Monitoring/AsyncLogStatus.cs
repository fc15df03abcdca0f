namespace AsyncLog;

/// <summary>A snapshot of all instances of a container.</summary>
public sealed class AsyncLogStatus
{
    internal AsyncLogStatus()
    {
    }

    /// <summary>Time of the snapshot.</summary>
    public DateTimeOffset CapturedAt { get; internal init; }

    /// <summary>Rendered bytes waiting in all instances.</summary>
    public long QueueBytes { get; internal init; }

    /// <summary>One status per instance.</summary>
    public IReadOnlyList<SinkStatus> Instances { get; internal init; } = [];

    /// <summary>Keys of AsyncLog's sections that mean nothing to it and are ignored, with their full paths.</summary>
    public IReadOnlyList<string> UnknownKeys { get; internal init; } = [];

    /// <summary>Values of <c>{@Item}</c> that could not be serialized and were written as their <c>ToString()</c>, since the start.</summary>
    public long ObjectsFailed { get; internal init; }

    /// <summary>The first problem of each type of these values, with what to do; at most 256.</summary>
    public IReadOnlyList<string> ObjectProblems { get; internal init; } = [];

    /// <summary>Returns the status of one instance, or null.</summary>
    /// <param name="name">Type and instance: <c>file/errors</c>.</param>
    public SinkStatus? Find(string name) => Instances.FirstOrDefault(instance => string.Equals(instance.Name, name, StringComparison.OrdinalIgnoreCase));
}
