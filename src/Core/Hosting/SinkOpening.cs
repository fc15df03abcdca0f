using System.Diagnostics.CodeAnalysis;
using System.Runtime.ExceptionServices;

namespace AsyncLog;

/// <summary>Opens a sink on its own thread. An opening may hang, as on a network file system that does not answer: nothing else waits for it, and at most one thread does.</summary>
/// <remarks>A sink has one owner: the code that takes it, or this object, which disposes it.</remarks>
[SuppressMessage("Design", "CA1001", Justification = "An opening that hangs uses them at any later time; none of them holds a handle.")]
internal sealed class SinkOpening
{
    // A sink that honors the cancellation fails then, and is opened again.
    private static readonly TimeSpan MaxTime = TimeSpan.FromSeconds(30);
    private readonly InstanceState _state;
    private readonly long _began;
    private readonly CancellationTokenSource _cancellation = new();
    private readonly ManualResetEventSlim _ended = new();

    // Protects the fields below. No code of a sink runs under it.
    private readonly Lock _gate = new();
    private ExceptionDispatchInfo? _failure;
    private bool _hasEnded;
    private bool _isTaken;
    private bool _isAbandoned;

    public SinkOpening(ILogSink sink, InstanceContext context, InstanceState state)
    {
        (Sink, Context, _state) = (sink, context, state);
        _began = state.TimeProvider.GetTimestamp();
        if (sink is IOpenableLogSink openable)
            new Thread(() => Open(openable)) { IsBackground = true, Name = $"AsyncLog open {state.Name}" }.Start();
        else
            End(failure: null);
    }

    public ILogSink Sink { get; }

    public InstanceContext Context { get; }

    /// <summary>Waits for the end of the opening.</summary>
    /// <returns>False if it has not ended.</returns>
    public bool Wait(TimeSpan limit)
    {
        if (_ended.Wait(limit, CancellationToken.None))
            return true;
        if (_state.TimeProvider.GetElapsedTime(_began) >= MaxTime)
            Cancel();
        return false;
    }

    /// <summary>Takes the sink, once it is open.</summary>
    /// <returns>False if it was abandoned.</returns>
    /// <exception cref="Exception">It could not be opened.</exception>
    public bool TryTake()
    {
        lock (_gate)
        {
            _failure?.Throw();
            _isTaken = !_isAbandoned;
            return _isTaken;
        }
    }

    /// <summary>Gives up a sink that was not taken: it is disposed, at once or when its opening ends.</summary>
    public void Abandon()
    {
        bool hasEnded;
        lock (_gate)
        {
            if (_isTaken || _isAbandoned)
                return;
            _isAbandoned = true;
            hasEnded = _hasEnded;
        }

        Context.ClearConditions();
        if (hasEnded)
            Dispose(Sink, _state);
        else
            Cancel();
    }

    /// <summary>Disposes a sink that is not used after all, whether it was taken or not.</summary>
    public void Discard()
    {
        lock (_gate)
            _isTaken = false;
        Abandon();
    }

    /// <summary>Disposes a sink.</summary>
    public static void Dispose(ILogSink sink, InstanceState state)
    {
        try
        {
            LoopGuard.Run(() => sink.DisposeAsync().AsTask().GetAwaiter().GetResult());
        }
        catch (Exception exception)
        {
            state.Metrics.CountError(LogSinkException.TypeOf(exception));
        }
    }

    // Callbacks that a sink registered with the token may hang.
    private void Cancel() => _cancellation.CancelAsync();

    private void Open(IOpenableLogSink openable)
    {
        try
        {
            LoopGuard.Run(() => openable.OpenAsync(_cancellation.Token).AsTask().GetAwaiter().GetResult());
            End(failure: null);
        }
        catch (Exception exception)
        {
            End(ExceptionDispatchInfo.Capture(exception));
        }
    }

    private void End(ExceptionDispatchInfo? failure)
    {
        bool isAbandoned;
        lock (_gate)
        {
            (_failure, _hasEnded) = (failure, true);
            isAbandoned = _isAbandoned;
        }

        _ended.Set();
        if (isAbandoned)
            Dispose(Sink, _state);
    }
}
