using System.Globalization;

namespace AsyncLog.Stress;

/// <summary>Looks at a round from outside: the bytes the sink has, the calls that were made, and the status.</summary>
internal sealed class StressJudge(StressPlan plan)
{
    private readonly object _pause = new();

    public List<string> Findings { get; } = [];

    /// <summary>Flushes and reads the status at random moments; the books have to balance in every snapshot.</summary>
    public void FlushAtRandom(IAsyncLogControl control, CancellationToken stop)
    {
        var random = new Random(plan.Seed);
        while (!stop.IsCancellationRequested)
        {
            if (random.Next(2) == 0)
                control.FlushAsync(TimeSpan.FromSeconds(30), CancellationToken.None).AsTask().GetAwaiter().GetResult();
            Balance(control.GetStatus().Instances[0]);
            lock (_pause)
                Monitor.Wait(_pause, random.Next(1, 20));
        }
    }

    /// <summary>Judges the end of the round.</summary>
    public void Judge(long calls, StressSink sink, SinkStatus status)
    {
        Balance(status);
        var read = Read(sink);
        Expect(read + sink.Refused == status.Written + sink.Refused, $"read {read} lines, status says {status.Written} written");
        Expect(calls == read + status.Dropped, $"{calls} calls, but {read} read and {status.Dropped} dropped ({string.Join(", ", status.Drops)})");
        Expect(status.QueueSize == 0 && status.InFlight == 0, $"{status.QueueSize} waiting and {status.InFlight} in flight at the end");
        var shutdown = status.Drops.Where(static drop => drop.Reason == DropReason.ShutdownTimeout).Sum(static drop => drop.Count);
        Expect(shutdown == 0, $"{shutdown} lost at shutdown although the sink worked");
        if (plan.FullMode == QueueFullMode.Wait)
            Expect(status.Drops.All(static drop => drop.Reason is not (DropReason.QueueFull or DropReason.QueueMemory)), "a record was lost in Wait");
    }

    private long Read(StressSink sink)
    {
        var last = new Dictionary<int, long>();
        var rest = sink.Written;
        var read = 0L;
        while (!rest.IsEmpty)
        {
            var end = rest.IndexOf((byte)'\n');
            var record = end < 0 ? null : StressRecord.Parse(rest[..end]);
            if (record is not { } found)
            {
                Findings.Add($"torn record after {read}: {Preview(rest)}");
                return read;
            }

            if (last.TryGetValue(found.Thread, out var before) && found.Sequence <= before)
                Findings.Add(string.Create(CultureInfo.InvariantCulture, $"order of thread {found.Thread}: {found.Sequence} after {before}"));
            last[found.Thread] = found.Sequence;
            Expect(!found.IsCut || found.Filling + 64 > plan.MaxRecordSize, "a record that fits was cut");
            Expect(end < plan.MaxRecordSize, "a record is longer than the bound");
            read++;
            rest = rest[(end + 1)..];
        }

        return read;
    }

    private static string Preview(ReadOnlySpan<byte> bytes) => System.Text.Encoding.UTF8.GetString(bytes[..Math.Min(120, bytes.Length)]);

    private void Balance(SinkStatus status) => Expect(
        status.Enqueued == status.Written + status.DroppedAfter + status.QueueSize + status.InFlight,
        $"books: {status.Enqueued} enqueued, {status.Written} written, {status.DroppedAfter} dropped after, {status.QueueSize} waiting, {status.InFlight} in flight");

    private void Expect(bool holds, string finding)
    {
        if (holds)
            return;
        lock (Findings)
        {
            if (Findings.Count < 20)
                Findings.Add(finding);
        }
    }
}
