namespace AsyncLog;

/// <summary>An instrument of a sink, besides those that AsyncLog has for every sink; created by <see cref="SinkContext.CreateInstrument"/>. Any thread.</summary>
/// <remarks>It belongs to the instance, not to the sink: after a reload the same name returns it with its values. It is published in the
/// meter <c>AsyncLog</c> and in <see cref="SinkStatus.Measurements"/>. Tags are few and fixed: never a category, a message or a value of a record.</remarks>
internal sealed class SinkInstrument
{
    // Protects the series: a few, written once per batch or less.
    private readonly Lock _gate = new();
    private readonly List<Series> _series = [];
    private Func<long>? _read;

    internal SinkInstrument(string name, SinkInstrumentKind kind, string unit, string description)
    {
        Name = name;
        Kind = kind;
        Unit = unit;
        Description = description;
    }

    /// <summary>The name in metrics.</summary>
    public string Name { get; }

    /// <summary>Kind of its values.</summary>
    public SinkInstrumentKind Kind { get; }

    /// <summary>The unit, as UCUM writes it.</summary>
    public string Unit { get; }

    /// <summary>Description of the measurement.</summary>
    public string Description { get; }

    /// <summary>Adds to a value; 0 shows it before anything happened, so that a rise from nothing is seen as one.</summary>
    /// <param name="value">The increment.</param>
    /// <param name="tags">Tags of the value.</param>
    public void Add(long value, params ReadOnlySpan<KeyValuePair<string, string>> tags)
    {
        lock (_gate)
            SeriesOf(tags).Value += value;
    }

    /// <summary>Sets a value.</summary>
    /// <param name="value">The value now.</param>
    /// <param name="tags">Tags of the value.</param>
    public void Set(long value, params ReadOnlySpan<KeyValuePair<string, string>> tags)
    {
        lock (_gate)
            SeriesOf(tags).Value = value;
    }

    /// <summary>Sets a function that reads the value without tags.</summary>
    internal void ReadFrom(Func<long> read)
    {
        lock (_gate)
            _read = read;
    }

    /// <summary>Reads all its values.</summary>
    public IReadOnlyList<SinkMeasurement> Measure()
    {
        lock (_gate)
        {
            var measurements = _series.ConvertAll(series => Measurement(series.Tags, series.Value));
            if (_read is not null)
                measurements.Add(Measurement([], _read()));
            return measurements;
        }
    }

    private SinkMeasurement Measurement(KeyValuePair<string, string>[] tags, long value)
        => new() { Name = Name, Kind = Kind, Unit = Unit, Description = Description, Tags = tags, Value = value };

    private Series SeriesOf(ReadOnlySpan<KeyValuePair<string, string>> tags)
    {
        foreach (var series in _series)
        {
            if (AreSame(tags, series.Tags))
                return series;
        }

        var added = new Series { Tags = tags.ToArray() };
        _series.Add(added);
        return added;
    }

    private static bool AreSame(ReadOnlySpan<KeyValuePair<string, string>> left, KeyValuePair<string, string>[] right)
    {
        if (left.Length != right.Length)
            return false;
        for (var i = 0; i < right.Length; i++)
        {
            if (left[i].Key != right[i].Key || left[i].Value != right[i].Value)
                return false;
        }

        return true;
    }

    private sealed class Series
    {
        public required KeyValuePair<string, string>[] Tags { get; init; }

        public long Value { get; set; }
    }
}

/// <summary>Kinds of <see cref="SinkInstrument"/>, in the terms of <see cref="System.Diagnostics.Metrics"/>.</summary>
internal enum SinkInstrumentKind
{
    /// <summary>Only rises, for the life of the process.</summary>
    Counter,

    /// <summary>Rises and falls; values of several instances may be added up.</summary>
    UpDownCounter,

    /// <summary>Rises and falls; adding up several instances makes no sense.</summary>
    Gauge,
}

/// <summary>One value of a <see cref="SinkInstrument"/> at one instant.</summary>
internal sealed record SinkMeasurement
{
    /// <summary>The instrument's name, for example <c>asynclog.file.rolled</c>.</summary>
    public required string Name { get; init; }

    /// <summary>Kind of its values.</summary>
    public required SinkInstrumentKind Kind { get; init; }

    /// <summary>The unit, as UCUM writes it: <c>By</c>, <c>{file}</c>.</summary>
    public required string Unit { get; init; }

    /// <summary>Description of the measurement, one line.</summary>
    public required string Description { get; init; }

    /// <summary>Tags besides that of the instance; empty for most.</summary>
    public IReadOnlyList<KeyValuePair<string, string>> Tags { get; init; } = [];

    /// <summary>The value.</summary>
    public required long Value { get; init; }
}

/// <summary>The instruments of the sinks of one instance; they outlive each sink.</summary>
internal sealed class SinkInstruments
{
    // Protects the list, which only grows.
    private readonly Lock _gate = new();
    private SinkInstrument[] _all = [];

    /// <summary>Gets or creates the instrument of a name.</summary>
    public SinkInstrument Get(string name, SinkInstrumentKind kind, string unit, string description)
    {
        lock (_gate)
        {
            if (Array.Find(_all, known => known.Name == name) is { } instrument)
                return instrument;
            var added = new SinkInstrument(name, kind, unit, description);
            Volatile.Write(ref _all, [.. _all, added]);
            return added;
        }
    }

    /// <summary>All so far; never changed, replaced when one is added.</summary>
    public SinkInstrument[] All => Volatile.Read(ref _all);

    public IReadOnlyList<SinkMeasurement> Read() => [.. All.SelectMany(static instrument => instrument.Measure())];
}
