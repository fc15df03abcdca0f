using System.Globalization;
using AsyncLog;

namespace Replay;

/// <summary>What is printed at the end.</summary>
internal static class ReplayReport
{
    public static void Print(TextWriter output, ReplayRun run, ReplayOptions options, AsyncLogStatus status, TimeSpan calling, TimeSpan all)
    {
        output.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"{string.Join(", ", options.Logs)}: {run.Sent} calls from {options.Threads} threads in {calling.TotalSeconds:F3} s ({PerSecond(run.Sent, calling)}/s), flushed after {all.TotalSeconds:F3} s"));
        foreach (var sink in status.Instances)
            Print(output, sink, all);
    }

    private static void Print(TextWriter output, SinkStatus sink, TimeSpan all)
    {
        output.WriteLine($"{sink.Name} -> {sink.Target}");
        Line(output, "offered", sink.Offered);
        Line(output, "written", sink.Written);
        Line(output, "dropped", sink.Dropped);
        foreach (var reason in sink.Drops.GroupBy(static drop => drop.Reason))
            Line(output, $"  {reason.Key}", reason.Sum(static drop => drop.Count));
        if (sink.QueueSize + sink.InFlight > 0)
            Line(output, "waiting", sink.QueueSize + sink.InFlight);
        Line(output, "bytes", sink.OutputBytes);
        Line(output, "records/s", PerSecond(sink.Written, all));
    }

    private static void Line(TextWriter output, string name, long value)
        => output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"  {name,-18} {value}"));

    private static long PerSecond(long count, TimeSpan time) => time > TimeSpan.Zero ? (long)(count / time.TotalSeconds) : 0;
}
