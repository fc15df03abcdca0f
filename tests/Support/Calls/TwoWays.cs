using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Calls;

/// <summary>Loggers that write a call as they like, beside loggers of other providers that need an event for it: their records have the same bytes.</summary>
internal sealed class TwoWays(CallClock clock)
{
    private readonly ConcurrentDictionary<string, (ILogger[] Known, ILogger[] Cold)> _loggers = new(StringComparer.Ordinal);
    private readonly List<(string Layout, KeptRecords Got, KeptRecords Expected)> _pairs = [];
    private readonly List<ILoggerProvider> _known = [];
    private readonly List<ILoggerProvider> _cold = [];
    private readonly List<string> _calls = [];

    public CallClock Clock => clock;

    /// <summary>True: of both ways to repeat a call, the one with MEL's own state.</summary>
    public bool PrefersCold { get; set; }

    /// <summary>How many records were compared.</summary>
    public long Compared { get; private set; }

    /// <summary>Adds a provider whose calls become known.</summary>
    public void AddKnown(ILoggerProvider provider, IExternalScopeProvider scopes)
    {
        ((ISupportExternalScope)provider).SetScopeProvider(scopes);
        _known.Add(provider);
    }

    /// <summary>Adds a provider that gets each call as one that it never saw, within scopes that it never saw.</summary>
    public void AddCold(ILoggerProvider provider, IExternalScopeProvider scopes)
    {
        ((ISupportExternalScope)provider).SetScopeProvider(new CopiedScopes(scopes));
        _cold.Add(provider);
    }

    /// <summary>Adds a layout: its records of a provider that needs events, and those that must equal them.</summary>
    public void Expect(string layout, KeptRecords expected, params ReadOnlySpan<(KeptRecords? Records, string Where)> got)
    {
        foreach (var (records, where) in got)
        {
            if (records is not null)
                _pairs.Add((layout + where, records, expected));
        }
    }

    /// <summary>Logs a call in both ways.</summary>
    /// <param name="call">The call, always from the same place.</param>
    /// <param name="cold">The same call from a place that no logger knows, for values that fail and objects that are written as JSON; null: there are none.</param>
    /// <param name="description">What a failure says of it; null where several threads log.</param>
    public void Log(string category, Action<ILogger> call, Action<ILogger>? cold, string? description)
    {
        var loggers = _loggers.GetOrAdd(category, static (name, self) => (Create(self._known, name), Create(self._cold, name)), this);
        foreach (var logger in loggers.Known)
            call(logger);
        var read = new ReadCall();
        call(read);
        var again = read.IsRepeatable && !(PrefersCold && cold is not null) ? read.Repeat : cold;
        Assert.NotNull(again);
        foreach (var logger in loggers.Cold)
            again(logger);
        if (description is not null)
            _calls.Add(description);
    }

    /// <summary>Compares the records since the last time. Everything was flushed before.</summary>
    public void AssertEqual(string run, bool inAnyOrder = false)
    {
        foreach (var (layout, got, expected) in _pairs)
        {
            Compared += got.Count;
            var isEach = got.Count == _calls.Count;
            got.AssertEqual(expected, $"{run}, {layout}", index => isEach ? _calls[index] : "some call", inAnyOrder);
        }

        foreach (var (_, got, expected) in _pairs)
        {
            got.Clear();
            expected.Clear();
        }

        _calls.Clear();
    }

    private static ILogger[] Create(List<ILoggerProvider> providers, string category) => [.. providers.Select(provider => provider.CreateLogger(category))];
}
