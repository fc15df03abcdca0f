using System.Globalization;

namespace AsyncLog.Tests;

/// <summary>Reads the status again and again; the counters have to add up in every snapshot.</summary>
internal sealed class StatusWatch(IAsyncLogControl control) : IDisposable
{
    private static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(200);
    private readonly ManualResetEventSlim _stop = new();

    // Guards what the watch and the saboteur find.
    private readonly Lock _gate = new();
    private readonly SortedDictionary<string, int> _states = new(StringComparer.Ordinal);
    private Thread? _thread;

    public Findings Findings { get; } = new();

    public int Snapshots { get; private set; }

    /// <summary>The states seen and how often.</summary>
    public string States
    {
        get
        {
            lock (_gate)
                return string.Join(", ", _states.Select(static state => string.Create(CultureInfo.InvariantCulture, $"{state.Key} {state.Value}")));
        }
    }

    public bool HasSeen(SinkState state, string reason)
    {
        lock (_gate)
            return _states.ContainsKey(NameOf(state, reason));
    }

    public void Start()
    {
        _thread = new Thread(Watch) { IsBackground = true, Name = "status watch" };
        _thread.Start();
    }

    public void Stop()
    {
        _stop.Set();
        _thread?.Join();
    }

    public void Dispose() => _stop.Dispose();

    /// <summary>One snapshot, checked.</summary>
    public SinkStatus Look()
    {
        var status = control.GetStatus().Instances[0];
        lock (_gate)
        {
            Snapshots++;
            var state = NameOf(status.State, status.Reason);
            _states[state] = _states.GetValueOrDefault(state) + 1;
            if (Counters.FaultOf(status) is { } fault)
                Findings.Add($"{fault}");
        }

        return status;
    }

    private static string NameOf(SinkState state, string? reason) => reason is null ? state.ToString() : $"{state} ({reason})";

    private void Watch()
    {
        while (!_stop.Wait(Interval))
            Look();
    }
}
