using System.Net;

namespace AsyncLog;

/// <summary>Resolves the receiver's name on a thread of its own, so that a lookup that hangs blocks the caller no longer than a wait it bounds.</summary>
/// <remarks>One lookup runs at a time. A failed one keeps the last addresses. Any thread, but <see cref="BegunAt"/>: the one that begins lookups.</remarks>
internal sealed class DnsResolver
{
    private readonly string _host;
    private readonly Func<string, IPAddress[]> _resolve;
    private readonly BoundedWait _wait;
    private readonly bool _isLiteral;
    private readonly Lock _lock = new();
    private Lookup? _running;

    /// <param name="host">A name, or an address that needs no lookup.</param>
    /// <param name="resolve">Resolves a name; blocks. Null: the system's resolver.</param>
    public DnsResolver(string host, BoundedWait wait, Func<string, IPAddress[]>? resolve = null)
    {
        _host = host;
        _wait = wait;
        _resolve = resolve ?? Dns.GetHostAddresses;
        _isLiteral = IPAddress.TryParse(host, out IPAddress? literal);
        if (_isLiteral)
            Addresses = [literal!];
    }

    /// <summary>The addresses of the last lookup that succeeded, in its order; empty before.</summary>
    public IPAddress[] Addresses { get; private set; } = [];

    /// <summary>Start of the last lookup, as a reading of the clock; null: none was, or none is needed.</summary>
    public long? BegunAt { get; private set; }

    /// <summary>Begins a lookup, unless one runs.</summary>
    public void Begin()
    {
        if (_isLiteral)
            return;
        lock (_lock)
        {
            BegunAt = _wait.Now;
            if (_running is not null)
                return;
            _running = new Lookup();
            // Not UnsafeStart: the mark that drops records logged on behalf of a sink flows with the execution context.
            new Thread(Run) { IsBackground = true, Name = $"AsyncLog lookup {_host}" }.Start(_running);
        }
    }

    /// <summary>Takes the answer of a lookup that has ended.</summary>
    /// <returns>The failure, or null when it succeeded or still runs.</returns>
    public LogSinkException? Collect()
    {
        Lookup ended;
        lock (_lock)
        {
            if (_running is not { Ended.IsSet: true } running)
                return null;
            ended = running;
            _running = null;
            if (ended.Addresses is { Length: > 0 } addresses)
            {
                Addresses = addresses;
                return null;
            }
        }

        return new LogSinkException(
            SocketErrorClass.Dns, $"cannot resolve '{_host}': {ended.Failure?.Message ?? "no address"}", isPermanent: false, ended.Failure);
    }

    /// <summary>Waits for the end of the lookup that runs.</summary>
    /// <returns>The failure; null: <see cref="Addresses"/> are fresh.</returns>
    public LogSinkException? Wait(TimeSpan time, CancellationToken cancellationToken)
    {
        Lookup? running;
        lock (_lock)
            running = _running;
        return running is null || _wait.Wait(running.Ended, time, cancellationToken)
            ? Collect()
            : new LogSinkException(SocketErrorClass.Dns, FormattableString.Invariant($"cannot resolve '{_host}': no answer within {time.TotalSeconds:0.###} s"));
    }

    private void Run(object? state)
    {
        var lookup = (Lookup)state!;
        try
        {
            lookup.Addresses = _resolve(_host);
        }
        catch (Exception exception)
        {
            // Returned by Collect; an exception must not end the process from this thread.
            lookup.Failure = exception;
        }
        finally
        {
            lookup.Ended.Set();
        }
    }

    private sealed class Lookup
    {
        public ManualResetEventSlim Ended { get; } = new();

        public IPAddress[]? Addresses { get; set; }

        public Exception? Failure { get; set; }
    }
}
