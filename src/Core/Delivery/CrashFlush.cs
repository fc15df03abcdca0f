using System.Runtime.InteropServices;

namespace AsyncLog;

/// <summary>Drains a provider when the process dies by an unhandled exception, exits, or (on request) gets a signal without a host.</summary>
internal sealed class CrashFlush : IDisposable
{
    /// <summary>The most a dying process is held.</summary>
    public static readonly TimeSpan Budget = TimeSpan.FromSeconds(2);

    private static readonly PosixSignal[] Signals = [PosixSignal.SIGTERM, PosixSignal.SIGINT, PosixSignal.SIGQUIT, PosixSignal.SIGHUP];
    private readonly SinkLoggerProvider _provider;
    private readonly List<PosixSignalRegistration> _registrations = [];
    private readonly bool _isOnCrash;

    public CrashFlush(SinkLoggerProvider provider, bool onCrash, bool onSignal)
    {
        _provider = provider;
        _isOnCrash = onCrash;
        if (onCrash)
        {
            AppDomain.CurrentDomain.UnhandledException += OnUnhandledException;
            AppDomain.CurrentDomain.ProcessExit += OnProcessExit;
        }

        if (onSignal)
        {
            foreach (var signal in Signals)
                _registrations.Add(PosixSignalRegistration.Create(signal, OnSignal));
        }
    }

    public void Dispose()
    {
        if (_isOnCrash)
        {
            AppDomain.CurrentDomain.UnhandledException -= OnUnhandledException;
            AppDomain.CurrentDomain.ProcessExit -= OnProcessExit;
        }

        _registrations.ForEach(static registration => registration.Dispose());
    }

    private void OnUnhandledException(object sender, UnhandledExceptionEventArgs e)
    {
        _provider.RecordCrash(e.ExceptionObject as Exception);
        _provider.FlushWithin(Budget);
    }

    private void OnProcessExit(object? sender, EventArgs e) => _provider.FlushWithin(Budget);

    // The signal goes on to do what it does: it is never cancelled here.
    private void OnSignal(PosixSignalContext context) => _provider.FlushWithin(Budget);
}
