using Microsoft.Extensions.Logging;

namespace Replay;

/// <summary>Sends the lines from several threads: each thread takes every n-th line, as often as asked for.</summary>
internal sealed class ReplayRun
{
    private readonly Sender[] _senders;

    public ReplayRun(IReadOnlyList<ReplayLog> logs, ILoggerFactory loggers, ReplayOptions options, TimeProvider time)
    {
        var calls = logs.SelectMany(static log => log.Lines).Select(line => (line, loggers.CreateLogger(line.Category))).ToArray();
        Total = (long)calls.Length * options.Repeat;
        _senders = [.. Enumerable.Range(0, options.Threads).Select(number => new Sender(calls, number, options, Total, time))];
    }

    /// <summary>Calls that will be made.</summary>
    public long Total { get; }

    /// <summary>Calls made so far.</summary>
    public long Sent => _senders.Sum(static sender => sender.Sent);

    /// <summary>Makes all calls; returns when the last is made, or soon after being cancelled.</summary>
    public void Run(CancellationToken cancellation)
    {
        var threads = _senders.Select(sender => new Thread(() => sender.Run(cancellation)) { IsBackground = true }).ToArray();
        foreach (var thread in threads)
            thread.Start();
        foreach (var thread in threads)
            thread.Join();
    }

    private sealed class Sender((ReplayLine Line, ILogger Logger)[] calls, int number, ReplayOptions options, long total, TimeProvider time)
    {
        private static readonly TimeSpan Ahead = TimeSpan.FromMilliseconds(1);
        private long _sent;

        public long Sent => Volatile.Read(ref _sent);

        public void Run(CancellationToken cancellation)
        {
            var start = time.GetTimestamp();
            for (var next = (long)number; next < total && !cancellation.IsCancellationRequested; next += options.Threads)
            {
                if (options.Rate is { } rate)
                    WaitUntilDue(start, TimeSpan.FromSeconds(next / rate), cancellation);
                var (line, logger) = calls[next % calls.Length];
                logger.Log(line.Level, line.EventId, line.Template, line.Values);
                Volatile.Write(ref _sent, _sent + 1);
            }
        }

        // Late calls are made at once, so that the rate holds over time.
        private void WaitUntilDue(long start, TimeSpan due, CancellationToken cancellation)
        {
            var early = due - time.GetElapsedTime(start);
            if (early > Ahead)
                cancellation.WaitHandle.WaitOne(early);
        }
    }
}
