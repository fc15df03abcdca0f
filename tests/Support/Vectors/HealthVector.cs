using System.Diagnostics.Metrics;
using System.Globalization;
using System.Text.Json;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Vectors;

/// <summary>One line of vectors/health.jsonl: what happens, and what the meter and the status say of it.</summary>
internal sealed class HealthVector
{
    private const string DuringWait = " during the wait";
    private const string AtEnd = " at the end";
    private static readonly string[] EventFields = ["sink", "record", "records", "answers", "calls", "enabled", "callsAfterDispose", "workerPaused", "sinks", "fakeSocket"];

    private static readonly Dictionary<string, Func<SinkStatus, double>> CounterOf = new(StringComparer.Ordinal)
    {
        ["offered"] = static status => status.Offered,
        ["enqueued"] = static status => status.Enqueued,
        ["written"] = static status => status.Written,
        ["dropped"] = static status => status.Dropped,
        ["droppedBefore"] = static status => status.DroppedBeforeAcceptance,
        ["droppedAfter"] = static status => status.DroppedAfterAcceptance,
        ["uncertain"] = static status => status.Uncertain,
        ["truncated"] = static status => status.Truncated,
        ["queue.size"] = static status => status.QueueSize,
        ["in_flight"] = static status => status.InFlight,
        ["inFlight"] = static status => status.InFlight,
        ["retries"] = static status => status.Retries,
        ["renderErrors"] = static status => status.RenderErrors,
        ["recordsSeenBySink"] = static status => status.Offered,
    };

    private readonly JsonElement _expect;
    private long _logged;

    public HealthVector(string line)
    {
        var vector = VectorFile.Parse(line, "events", "expect");
        (Events, _expect) = (vector.GetProperty("events"), vector.GetProperty("expect"));
        Assert.NotEmpty(_expect.EnumerateObject());
        Assert.True(Enabled <= Calls);
    }

    public JsonElement Events { get; }

    /// <summary>The names of the instances; null: the default one alone.</summary>
    public string[]? Instances => Events.Find("sinks") switch
    {
        null => null,
        { ValueKind: JsonValueKind.Array } names => [.. names.EnumerateArray().Select(static name => name.GetString()!.Split('/')[^1])],
        { } count => [.. Enumerable.Range(1, count.GetInt32()).Select(static number => string.Create(CultureInfo.InvariantCulture, $"sink{number}"))],
    };

    public bool IsPaused => Events.BoolOf("workerPaused");

    public bool ReadsDuringWait => _expect.EnumerateObject().Any(static part => part.Name.EndsWith(DuringWait, StringComparison.Ordinal));

    public int CallsAfterDispose => Events.IntOf("callsAfterDispose");

    private int Calls => Events.IntOf("calls");

    private int Enabled => Events.IntOf("enabled", Calls);

    public static TheoryData<string> LinesOf(string sink) => [.. VectorFile.Lines("health.jsonl", vector => vector.GetProperty("events").TextOf("sink", null) == sink)];

    /// <summary>Sets the options among the events.</summary>
    public void Configure(SinkOptions options)
    {
        if (Events.Find("enabled") is not null)
            options.LogLevel["Default"] = LogLevel.Information;
        VectorOption.SetAll(options, Events, EventFields);
    }

    /// <summary>Makes the calls before the provider is disposed.</summary>
    public void Log(IVectorTarget target)
    {
        if (Events.Find("record") is { } record)
            Log(target, record);
        if (Events.Find("records") is { ValueKind: JsonValueKind.Array } records)
        {
            foreach (var each in records.EnumerateArray())
                Log(target, each);
        }
        else
        {
            Log(target, Events.IntOf("records"));
        }

        Log(target, Enabled);
        Call(target, Calls - Enabled, LogLevel.Debug);
    }

    public void LogAfterDispose(IVectorTarget target) => Log(target, CallsAfterDispose);

    /// <summary>Checks every expectation.</summary>
    /// <param name="atEnd">What the meter said at the end.</param>
    /// <param name="duringWait">What it said during the wait; null: there was none.</param>
    /// <param name="status">The status of all instances.</param>
    public void Check(MeterSnapshot atEnd, MeterSnapshot? duringWait, IReadOnlyList<SinkStatus> status)
    {
        foreach (var field in _expect.EnumerateObject())
        {
            var isDuringWait = field.Name.EndsWith(DuringWait, StringComparison.Ordinal);
            var name = field.Name.Replace(DuringWait, "", StringComparison.Ordinal).Replace(AtEnd, "", StringComparison.Ordinal);
            if (isDuringWait)
                Assert.NotNull(duringWait);
            Check(name, field.Value, isDuringWait ? duringWait! : atEnd, status);
        }

        foreach (var instance in status)
            Counters.AssertAddUp(instance, _logged);
    }

    private static void Check(string name, JsonElement value, MeterSnapshot read, IReadOnlyList<SinkStatus> status)
    {
        switch (name)
        {
            case "meter":
                Assert.NotEmpty(read.Instruments);
                Assert.All(read.Instruments.Values, instrument => Assert.Equal(value.GetString(), instrument.Meter.Name));
                break;
            case "units":
                Assert.NotEmpty(value.EnumerateObject());
                Assert.All(value.EnumerateObject(), unit => Assert.Equal((unit.Name, unit.Value.GetString()), (unit.Name, read.Instruments[unit.Name].Unit)));
                break;
            case "noInstrumentStartsWith":
                Assert.NotEmpty(read.Instruments);
                Assert.DoesNotContain(read.Instruments.Keys, instrument => instrument.StartsWith(value.GetString()!, StringComparison.Ordinal));
                break;
            case "tags":
                read.AssertTags(value);
                break;
            default:
                if (value.ValueKind == JsonValueKind.String && value.GetString()!.StartsWith('='))
                    Assert.Equal(("enqueued", "= written + dropped(after) + queue.size + in_flight"), (name, value.GetString()));
                else if (CounterOf.TryGetValue(name, out var counter))
                    Expectations.AssertNumber(name, value, status.Sum(counter));
                else
                    read.AssertValue(name, value);
                break;
        }
    }

    private void Log(IVectorTarget target, JsonElement record)
    {
        VectorRecord.Log(record, target);
        _logged += record.IntOf("times", 1);
    }

    private void Log(IVectorTarget target, int calls)
    {
        Call(target, calls, LogLevel.Information);
        _logged += calls;
    }

    private static void Call(IVectorTarget target, int calls, LogLevel level)
    {
        var logger = target.Logger(target.DefaultCategory);
        for (var i = 0; i < calls; i++)
            logger.Log(level, default, "state", null, static (_, _) => "m");
    }
}

/// <summary>What the meter says of instances that have a port which no other test's have.</summary>
internal sealed record MeterSnapshot(IReadOnlyDictionary<string, Instrument> Instruments, IReadOnlyList<(string Instrument, string[] Tags, double Value)> Values)
{
    /// <summary>Checks the sum of an instrument's values, or one sum for each set of attributes; then there is no other value of these attributes.</summary>
    public void AssertValue(string name, JsonElement wanted)
    {
        Assert.True(Instruments.ContainsKey(name), $"{name} is not published.");
        var values = Values.Where(value => value.Instrument == name).ToArray();
        if (wanted.ValueKind != JsonValueKind.Object)
        {
            Expectations.AssertNumber(name, wanted, values.Sum(static value => value.Value));
            return;
        }

        foreach (var part in wanted.EnumerateObject())
        {
            var attributes = part.Name.Split(',', StringSplitOptions.TrimEntries);
            Expectations.AssertNumber($"{name} {part.Name}", part.Value, values.Where(value => attributes.All(value.Tags.Contains)).Sum(static value => value.Value));
        }

        var named = wanted.EnumerateObject().Select(static part => part.Name).Where(static part => !part.Contains(',', StringComparison.Ordinal)).ToArray();
        foreach (var value in values.Where(static value => value.Value is not 0))
        {
            foreach (var attribute in named.Select(static part => part.Split('=')[0]).Distinct())
                Assert.Empty(value.Tags.Where(tag => tag.Split('=')[0] == attribute).Except(named, StringComparer.Ordinal));
        }
    }

    /// <summary>Checks that every value has attributes: names, or names and values.</summary>
    public void AssertTags(JsonElement wanted)
    {
        Assert.NotEmpty(Values);
        string[] names = wanted.ValueKind == JsonValueKind.Array
            ? [.. wanted.EnumerateArray().Select(static tag => tag.GetString()!)]
            : [.. wanted.EnumerateObject().Select(static tag => $"{tag.Name}={tag.Value}")];
        Assert.NotEmpty(names);
        foreach (var value in Values)
            Assert.All(names, name => Assert.Contains(value.Tags, tag => tag == name || tag.StartsWith(name + "=", StringComparison.Ordinal)));
    }
}

/// <summary>Listens to the meter.</summary>
internal sealed class HealthReading : IDisposable
{
    private readonly MeterListener _listener = new();
    private readonly int _port;
    private readonly Lock _gate = new();
    private readonly Dictionary<string, Instrument> _instruments = new(StringComparer.Ordinal);
    private readonly Dictionary<(string Instrument, string Tags), (string[] Tags, double Value)> _values = [];

    /// <param name="port">The port that tells the instances from those of other tests.</param>
    public HealthReading(int port)
    {
        _port = port;
        _listener.InstrumentPublished = (instrument, listener) =>
        {
            if (instrument.Meter.Name != AsyncLogMeter.Name)
                return;
            lock (_gate)
                _instruments[instrument.Name] = instrument;
            listener.EnableMeasurementEvents(instrument);
        };
        _listener.SetMeasurementEventCallback<long>((instrument, value, tags, _) => Keep(instrument, value, tags));
        _listener.SetMeasurementEventCallback<int>((instrument, value, tags, _) => Keep(instrument, value, tags));
        _listener.SetMeasurementEventCallback<double>((instrument, value, tags, _) => Keep(instrument, value, tags));
        _listener.Start();
    }

    public MeterSnapshot Read()
    {
        _listener.RecordObservableInstruments();
        lock (_gate)
            return new MeterSnapshot(new Dictionary<string, Instrument>(_instruments), [.. _values.Select(static value => (value.Key.Instrument, value.Value.Tags, value.Value.Value))]);
    }

    public void Dispose() => _listener.Dispose();

    private void Keep(Instrument instrument, double value, ReadOnlySpan<KeyValuePair<string, object?>> tags)
    {
        string[] texts = [.. tags.ToArray().Select(static tag => string.Create(CultureInfo.InvariantCulture, $"{tag.Key}={tag.Value}"))];
        if (!texts.Contains(string.Create(CultureInfo.InvariantCulture, $"server.port={_port}")))
            return;
        var key = (instrument.Name, string.Join('\n', texts.Order(StringComparer.Ordinal)));
        lock (_gate)
            // A histogram counts its values; the others tell their total.
            _values[key] = (texts, instrument.IsObservable ? value : _values.GetValueOrDefault(key).Value + 1);
    }
}
