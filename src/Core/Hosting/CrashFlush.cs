using System.Runtime.InteropServices;

namespace AsyncLog;

/// <summary>Drains a provider when the process dies by an unhandled exception, exits, or gets a signal without a host.</summary>
/// <remarks>The process has one handler for all of its providers: they share the budget instead of using it up one after another.</remarks>
internal sealed class CrashFlush : IDisposable
{
    /// <summary>The most a dying process is held, however many providers it has.</summary>
    public static readonly TimeSpan Budget = TimeSpan.FromSeconds(2);

    private static readonly PosixSignal[] Signals = [PosixSignal.SIGTERM, PosixSignal.SIGINT, PosixSignal.SIGQUIT, PosixSignal.SIGHUP];

    // Protects the lists of providers, which are replaced as wholes and read without it, and the registrations.
    private static readonly Lock Gate = new();
    private static SinkLoggerProvider[] _onCrash = [];
    private static SinkLoggerProvider[] _onSignal = [];
    private static PosixSignalRegistration[] _registrations = [];

    // True if a signal is being handled.
    private static bool _isSignalled;
    private readonly SinkLoggerProvider _provider;

    public CrashFlush(SinkLoggerProvider provider, bool onCrash, bool onSignal)
    {
        _provider = provider;
        lock (Gate)
        {
            if (onCrash)
                Watch([.. _onCrash, provider]);
            if (onSignal)
                Volatile.Write(ref _onSignal, [.. _onSignal, provider]);
            WatchSignals();
        }
    }

    public void Dispose()
    {
        lock (Gate)
        {
            Watch(Array.FindAll(_onCrash, provider => provider != _provider));
            Volatile.Write(ref _onSignal, Array.FindAll(_onSignal, provider => provider != _provider));
            WatchSignals();
        }
    }

    /// <summary>Delivers the accepted records of all providers in parallel, after <paramref name="lastWord"/> logged the last record of each; returns when all are delivered, or when the budget is used up.</summary>
    /// <param name="isLast">True if the process ends after other handlers, which may log: each of these calls waits until its record is delivered.</param>
    internal static void End(SinkLoggerProvider[] providers, Action<SinkLoggerProvider>? lastWord = null, bool isLast = false)
        => Task.WaitAll([.. providers.SelectMany(provider => Ending(provider, lastWord, isLast))], Budget);

    /// <summary>Leaves the signals to a host, which drains when it gets one.</summary>
    public void LeaveSignals()
    {
        lock (Gate)
        {
            Volatile.Write(ref _onSignal, Array.FindAll(_onSignal, provider => provider != _provider));
            WatchSignals();
        }
    }

    // Handlers are registered only while there are providers.
    private static void Watch(SinkLoggerProvider[] providers)
    {
        if (_onCrash.Length == 0 && providers.Length > 0)
        {
            AppDomain.CurrentDomain.UnhandledException += OnUnhandledException;
            AppDomain.CurrentDomain.ProcessExit += OnProcessExit;
        }
        else if (_onCrash.Length > 0 && providers.Length == 0)
        {
            AppDomain.CurrentDomain.UnhandledException -= OnUnhandledException;
            AppDomain.CurrentDomain.ProcessExit -= OnProcessExit;
        }

        Volatile.Write(ref _onCrash, providers);
    }

    private static void OnProcessExit(object? sender, EventArgs e) => End(Volatile.Read(ref _onCrash), isLast: true);

    private static void OnUnhandledException(object sender, UnhandledExceptionEventArgs e)
        => End(Volatile.Read(ref _onCrash), provider => provider.RecordCrash(e.ExceptionObject as Exception), isLast: true);

    // Earlier reports do not wait for the last one, which may wait for a lock that the dying thread holds.
    private static IEnumerable<Task> Ending(SinkLoggerProvider provider, Action<SinkLoggerProvider>? lastWord, bool isLast)
    {
        yield return Start(() => provider.FlushWithin(Budget, isLast));
        if (lastWord is not null)
        {
            yield return Start(() =>
            {
                lastWord(provider);
                provider.FlushWithin(Budget, isLast);
            });
        }
    }

    // One thread per provider: if a queue is full and set to Wait, logging may take as long as delivering.
    private static Task Start(Action ending)
        => Task.Factory.StartNew(ending, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);

    // The signal is never cancelled: its default action follows. The second one, while the first is still handled, does so at once.
    internal static void EndOnSignal(SinkLoggerProvider[] providers)
    {
        if (Interlocked.Exchange(ref _isSignalled, true))
            return;
        End(providers);
        Volatile.Write(ref _isSignalled, false);
    }

    private static void WatchSignals()
    {
        if ((_onSignal.Length > 0) == (_registrations.Length > 0))
            return;
        Array.ForEach(_registrations, static registration => registration.Dispose());
        _registrations = _onSignal.Length == 0
            ? []
            : Array.ConvertAll(Signals, static signal => PosixSignalRegistration.Create(signal, static _ => EndOnSignal(Volatile.Read(ref _onSignal))));
    }
}
