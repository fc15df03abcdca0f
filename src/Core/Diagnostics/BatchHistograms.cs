namespace AsyncLog;

/// <summary>A histogram of one instance: one set of tags.</summary>
internal sealed record SinkHistogram
{
    /// <summary>The name in metrics: <c>asynclog.sink.write.duration</c> or <c>asynclog.sink.batch.size</c>.</summary>
    public required string Name { get; init; }

    /// <summary>The unit, as UCUM writes it: <c>s</c>, <c>{log_record}</c>.</summary>
    public required string Unit { get; init; }

    /// <summary>Description of the measurement, one line.</summary>
    public required string Description { get; init; }

    /// <summary>The class of the failure of the calls that are counted; null: those that did not fail, or both.</summary>
    public string? ErrorType { get; init; }

    /// <summary>The upper bounds of all buckets but the last, which has none.</summary>
    public required IReadOnlyList<double> Bounds { get; init; }

    /// <summary>The number of measurements in each bucket.</summary>
    public required IReadOnlyList<long> Buckets { get; init; }

    /// <summary>The sum of all measurements.</summary>
    public required double Sum { get; init; }
}

/// <summary>Counts the duration and size of the batches of one instance. Any thread.</summary>
internal sealed class BatchHistograms
{
    public const string DurationName = "asynclog.sink.write.duration";
    public const string DurationText = "How long one batch or request took.";
    public const string SizeName = "asynclog.sink.batch.size";
    public const string SizeText = "Records per batch.";
    public const string ErrorTag = "error.type";
    // Protects the series: written once per batch, read with each status.
    private readonly Lock _gate = new();
    private readonly Series _size = new(Records);
    private readonly SortedList<string, Series> _durations = new(StringComparer.Ordinal);

    /// <summary>The bounds of durations.</summary>
    public static double[] Seconds { get; } = [0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];

    /// <summary>The bounds of sizes.</summary>
    public static double[] Records { get; } = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000];

    /// <summary>Counts one call of the sink.</summary>
    /// <param name="errorType">The class of its failure; null: it did not fail.</param>
    public void Record(TimeSpan time, int records, string? errorType)
    {
        lock (_gate)
        {
            _size.Add(records);
            if (!_durations.TryGetValue(errorType ?? "", out var series))
                _durations[errorType ?? ""] = series = new Series(Seconds);
            series.Add(time.TotalSeconds);
        }
    }

    /// <summary>Reads the histograms that have measurements.</summary>
    public IReadOnlyList<SinkHistogram> Read()
    {
        lock (_gate)
        {
            if (_durations.Count == 0)
                return [];
            return [_size.Read(SizeName, "{log_record}", SizeText, null), .. _durations.Select(static series => series.Value.Read(DurationName, "s", DurationText, series.Key))];
        }
    }

    private sealed class Series(double[] bounds)
    {
        private readonly long[] _buckets = new long[bounds.Length + 1];
        private double _sum;

        public void Add(double value)
        {
            var bucket = 0;
            while (bucket < bounds.Length && value > bounds[bucket])
                bucket++;
            _buckets[bucket]++;
            _sum += value;
        }

        public SinkHistogram Read(string name, string unit, string description, string? errorType) => new()
        {
            Name = name,
            Unit = unit,
            Description = description,
            ErrorType = string.IsNullOrEmpty(errorType) ? null : errorType,
            Bounds = bounds,
            Buckets = [.. _buckets],
            Sum = _sum,
        };
    }
}
