namespace AsyncLog;

/// <summary>What is to know of all instances of the process's container.</summary>
/// <param name="CapturedAt">When it was captured.</param>
/// <param name="QueueBytes">Rendered bytes waiting in all instances.</param>
/// <param name="Instances">One status per instance.</param>
public sealed record AsyncLogStatus(DateTimeOffset CapturedAt, long QueueBytes, IReadOnlyList<SinkStatus> Instances)
{
    /// <summary>Keys of AsyncLog's sections that mean nothing to it and are ignored, with their full paths.</summary>
    public IReadOnlyList<string> UnknownKeys { get; init; } = [];

    /// <summary>The status of one instance, or null.</summary>
    /// <param name="name">Type and instance: <c>file/errors</c>.</param>
    public SinkStatus? Find(string name) => Instances.FirstOrDefault(instance => string.Equals(instance.Name, name, StringComparison.OrdinalIgnoreCase));
}
