using System.Globalization;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests;

/// <summary>Judges a round by what is outside the product: the bytes and the refusals of the sink, and the calls that were made.</summary>
internal sealed class StressJudge(StressPlan plan)
{
    // Every other reason is a fault of the product: no record of a round is too long to be cut, fails to render, or comes from inside the sink.
    private static readonly DropReason[] Reasons =
        [DropReason.QueueFull, DropReason.QueueMemory, DropReason.Evicted, DropReason.WriteFailed, DropReason.SinkPermanent];

    private readonly object _pause = new();

    public List<string> Findings { get; } = [];

    /// <summary>Flushes and reads the status at random moments; the counters have to add up in every snapshot.</summary>
    public void FlushAtRandom(IAsyncLogControl control, CancellationToken stop)
    {
        var random = new Random(plan.Seed);
        while (!stop.IsCancellationRequested)
        {
            if (random.Next(2) == 0)
            {
                var isFlushed = control.FlushAsync(TimeSpan.FromSeconds(30), CancellationToken.None).GetAwaiter().GetResult();
                // Nothing fails, is refused or evicted in these rounds, and no flush meets the end.
                Expect(isFlushed || plan.FullMode != QueueFullMode.Wait || plan.Mood is not (SinkMood.Fast or SinkMood.Slow) || plan.DisposeUnderLoad, $"a flush was not answered with yes");
            }

            Balance(control.GetStatus().Instances[0]);
            lock (_pause)
                Monitor.Wait(_pause, random.Next(1, 20));
        }
    }

    /// <summary>Judges the end of the round.</summary>
    /// <param name="calls">The calls made, by thread.</param>
    /// <param name="sink">The sink, disposed.</param>
    /// <param name="status">The status after the end.</param>
    public void Judge(long[] calls, StressSink sink, SinkStatus status)
    {
        Balance(status);
        var missing = new HashSet<(int Thread, long Sequence)>();
        var read = Read(sink.Written, calls, missing);
        Expect(read > 0, $"nothing was written");
        Expect(read == status.Written, $"{read} lines read, {status.Written} written");
        Expect(calls.Sum() == status.Offered, $"{calls.Sum()} calls, {status.Offered} offered");
        Expect(status.QueueSize == 0 && status.InFlight == 0, $"{status.QueueSize} waiting and {status.InFlight} in flight at the end");
        MatchGaps(missing, status);
        MatchRefusals(missing, sink, status);
        foreach (var drop in status.Drops)
        {
            Expect(
                Reasons.Contains(drop.Reason) || (plan.DisposeUnderLoad && drop.Reason == DropReason.AlreadyShutdown),
                $"a record was lost for a reason that this round does not have: {drop}");
        }

        if (plan.FullMode == QueueFullMode.Wait)
            Expect(status.Drops.All(static drop => drop.Reason is not (DropReason.QueueFull or DropReason.QueueMemory)), $"a record was lost in Wait");
    }

    // What is missing in the sequences of the threads is what was dropped; levels depend on thread and sequence, so they tell the drops apart.
    private void MatchGaps(HashSet<(int Thread, long Sequence)> missing, SinkStatus status)
    {
        for (var level = LogLevel.Trace; level <= LogLevel.Critical; level++)
        {
            var gaps = missing.Count(record => StressRecord.LevelOf(record.Thread, record.Sequence) == level);
            var dropped = status.Drops.Where(drop => drop.Level == level).Sum(static drop => drop.Count);
            Expect(gaps == dropped, $"{gaps} records of level {level} are missing, {dropped} dropped");
        }
    }

    private void MatchRefusals(HashSet<(int Thread, long Sequence)> missing, StressSink sink, SinkStatus status)
    {
        foreach (var (reason, record) in sink.Refused)
            Expect(missing.Contains((record.Thread, record.Sequence)), $"{record} was refused as {reason} and written");
        foreach (var reason in (DropReason[])[DropReason.WriteFailed, DropReason.SinkPermanent])
        {
            for (var level = LogLevel.Trace; level <= LogLevel.Critical; level++)
            {
                var refused = sink.Refused.Count(refusal => refusal.Reason == reason && StressRecord.LevelOf(refusal.Record.Thread, refusal.Record.Sequence) == level);
                var dropped = status.Drops.Where(drop => drop.Reason == reason && drop.Level == level).Sum(static drop => drop.Count);
                Expect(refused == dropped, $"{refused} of level {level} refused as {reason}, {dropped} dropped");
            }
        }
    }

    // Sequences of a thread rise without a break but for what is missing.
    private long Read(ReadOnlySpan<byte> rest, long[] calls, HashSet<(int Thread, long Sequence)> missing)
    {
        var next = new long[calls.Length];
        var read = 0L;
        while (!rest.IsEmpty)
        {
            var end = rest.IndexOf((byte)'\n');
            var record = end < 0 ? null : StressRecord.Parse(rest[..end]);
            if (record is not { } found || found.Thread >= calls.Length || found.Sequence >= calls[found.Thread])
            {
                Findings.Add($"torn record after {read}: {Preview(rest)}");
                return read;
            }

            if (found.Sequence < next[found.Thread])
                Findings.Add(string.Create(CultureInfo.InvariantCulture, $"order of thread {found.Thread}: {found.Sequence} after {next[found.Thread] - 1}"));
            Miss(missing, found.Thread, next[found.Thread], found.Sequence);
            next[found.Thread] = found.Sequence + 1;
            Expect(!found.IsCut || found.Filling + 64 > plan.MaxRecordSize, $"a record that fits was cut");
            Expect(end < plan.MaxRecordSize, $"a record is longer than the bound");
            read++;
            rest = rest[(end + 1)..];
        }

        for (var thread = 0; thread < calls.Length; thread++)
            Miss(missing, thread, next[thread], calls[thread]);
        return read;
    }

    private static void Miss(HashSet<(int Thread, long Sequence)> missing, int thread, long first, long end)
    {
        for (var sequence = first; sequence < end; sequence++)
            missing.Add((thread, sequence));
    }

    private static string Preview(ReadOnlySpan<byte> bytes) => System.Text.Encoding.UTF8.GetString(bytes[..Math.Min(120, bytes.Length)]);

    private void Balance(SinkStatus status)
    {
        var fault = Counters.FaultOf(status);
        Expect(fault is null, $"{fault}");
    }

    private void Expect(bool holds, FormattableString finding)
    {
        if (holds)
            return;
        lock (Findings)
        {
            if (Findings.Count < 20)
                Findings.Add(finding.ToString(CultureInfo.InvariantCulture));
        }
    }
}
