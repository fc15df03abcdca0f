using System.Diagnostics;

namespace AsyncLog.Bench;

/// <summary>Open loop: one call at each of evenly spaced intended times, whatever the calls before took. The pacing thread spins until each time has come.</summary>
/// <remarks>The stopwatch counts nanoseconds on Linux.</remarks>
internal sealed class PacedLoad(LoggerHost host, int rate)
{
    private long _calls;

    /// <summary>End minus actual start of every call.</summary>
    public LatencyHistogram Service { get; private set; } = new();

    /// <summary>End minus intended start of every call.</summary>
    public LatencyHistogram Response { get; private set; } = new();

    /// <summary>What the library must have written.</summary>
    public WrittenLines Expected => WrittenLines.Of(0, _calls);

    public void Run(int calls)
    {
        Service = new LatencyHistogram();
        Response = new LatencyHistogram();
        var interval = (double)Stopwatch.Frequency / rate;
        var first = Stopwatch.GetTimestamp() + Stopwatch.Frequency / 1_000;
        for (var n = 0; n < calls; n++)
        {
            var intended = first + (long)(n * interval);
            long start;
            while ((start = Stopwatch.GetTimestamp()) < intended)
                Thread.SpinWait(1);
            OrderLog.Generated(host.Logger, OrderNumbers.At(_calls++));
            var end = Stopwatch.GetTimestamp();
            Service.Record(end - start);
            Response.Record(end - intended);
        }
    }
}
