namespace AsyncLog;

/// <summary>What a sink measured itself, at one instant: one value of a <see cref="SinkInstrument"/>.</summary>
/// <param name="Name">The instrument's name, for example <c>asynclog.file.rolled</c>.</param>
/// <param name="Kind">How its values behave.</param>
/// <param name="Unit">The unit, as UCUM writes it: <c>By</c>, <c>{file}</c>.</param>
/// <param name="Description">What is measured: one line.</param>
/// <param name="Tags">What it belongs to besides the instance; empty for most.</param>
/// <param name="Value">The value.</param>
public sealed record SinkMeasurement(
    string Name, SinkInstrumentKind Kind, string Unit, string Description, IReadOnlyList<KeyValuePair<string, string>> Tags, long Value);
