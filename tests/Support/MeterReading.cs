using System.Diagnostics.Metrics;
using System.Globalization;

namespace AsyncLog.Tests;

/// <summary>Listens to the meter and keeps what belongs to one instance, told by a tag that no other test's has.</summary>
internal sealed class MeterReading : IDisposable
{
    private readonly MeterListener _listener = new();
    private readonly KeyValuePair<string, object?> _own;

    // Written by whoever measures.
    private readonly Lock _gate = new();
    private readonly Dictionary<string, double> _values = [];
    private readonly Dictionary<string, Instrument> _instruments = [];

    public MeterReading(string sink, Func<Instrument, bool>? isWanted = null)
        : this(new KeyValuePair<string, object?>("asynclog.sink.name", sink), isWanted)
    {
    }

    public MeterReading(KeyValuePair<string, object?> own, Func<Instrument, bool>? isWanted = null)
    {
        _own = own;
        _listener.InstrumentPublished = (instrument, listener) =>
        {
            if (instrument.Meter.Name != AsyncLogMeter.Name || isWanted?.Invoke(instrument) == false)
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

    /// <summary>What is published, whoever published it.</summary>
    public IReadOnlyDictionary<string, Instrument> Instruments
    {
        get
        {
            lock (_gate)
                return new Dictionary<string, Instrument>(_instruments);
        }
    }

    /// <summary>Values by instrument and tags: <c>name{tag=value,…}</c>; those of the instance are left out.</summary>
    public IReadOnlyDictionary<string, double> Read()
    {
        _listener.RecordObservableInstruments();
        lock (_gate)
            return new Dictionary<string, double>(_values);
    }

    public void Dispose() => _listener.Dispose();

    private void Keep(Instrument instrument, double value, ReadOnlySpan<KeyValuePair<string, object?>> tags)
    {
        var texts = new List<string>();
        var isOurs = false;
        foreach (var tag in tags)
        {
            isOurs |= tag.Key == _own.Key && Equals(tag.Value, _own.Value);
            if (tag.Key is not ("asynclog.sink.name" or "asynclog.sink.type") && (tag.Key is not ("server.address" or "server.port") || _own.Key != "server.port"))
                texts.Add(string.Create(CultureInfo.InvariantCulture, $"{tag.Key}={tag.Value}"));
        }

        if (!isOurs)
            return;
        lock (_gate)
            _values[texts.Count == 0 ? instrument.Name : $"{instrument.Name}{{{string.Join(',', texts)}}}"] = value;
    }
}
