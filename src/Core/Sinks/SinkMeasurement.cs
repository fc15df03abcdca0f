namespace AsyncLog;

/// <summary>One value of a <see cref="SinkInstrument"/> at one instant.</summary>
public sealed record SinkMeasurement
{
    /// <summary>The instrument's name, for example <c>asynclog.file.rolled</c>.</summary>
    public required string Name { get; init; }

    /// <summary>How its values behave.</summary>
    public required SinkInstrumentKind Kind { get; init; }

    /// <summary>The unit, as UCUM writes it: <c>By</c>, <c>{file}</c>.</summary>
    public required string Unit { get; init; }

    /// <summary>What is measured: one line.</summary>
    public required string Description { get; init; }

    /// <summary>What it belongs to besides the instance; empty for most.</summary>
    public IReadOnlyList<KeyValuePair<string, string>> Tags { get; init; } = [];

    /// <summary>The value.</summary>
    public required long Value { get; init; }
}
