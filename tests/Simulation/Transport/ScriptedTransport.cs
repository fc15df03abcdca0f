using System.Globalization;
using System.Text;
using AsyncLog.Tests.Checks;
using AsyncLog.Tests.Disk;
using AsyncLog.Tests.Run;

namespace AsyncLog.Tests.Transport;

/// <summary>A sink whose destination takes, refuses, fails, hangs or dies as the run tells it.</summary>
/// <param name="run">The run.</param>
/// <param name="process">The process that has the sink.</param>
/// <param name="peer">The destination.</param>
/// <param name="isRepeated">Returns true for a record that a loss of power brought back to the disk.</param>
/// <param name="before">The transport that it replaces; null: it is the first one of the process.</param>
internal sealed class ScriptedTransport(SimulationRun run, SimulatedProcess process, Peer peer, Func<int, bool> isRepeated, ScriptedTransport? before = null) : IScheduledLogSink
{
    private readonly HashSet<int> _settled = before?._settled ?? [];

    // True until it is used: it has a connection of its own.
    private bool _connects = before is not null;

    /// <summary>Records that it refused one by one, by level, before the shutdown deadline.</summary>
    public long[] Rejected { get; } = before?.Rejected ?? new long[DropCounts.Levels];

    /// <summary>Records that it refused with the rest of a batch, by level, before the shutdown deadline.</summary>
    public long[] Refused { get; } = before?.Refused ?? new long[DropCounts.Levels];

    /// <summary>Never done, always planned: a worker with nothing planned waits without a timer.</summary>
    public DateTimeOffset? NextDue => run.Clock.GetUtcNow() + TimeSpan.FromDays(1);

    public ValueTask RunDueAsync(CancellationToken cancellationToken) => default;

    public ValueTask WriteAsync(LogBatch batch, CancellationToken cancellationToken)
    {
        if (_connects)
            peer.Connect();
        _connects = false;
        try
        {
            Attempt(batch, cancellationToken);
            return default;
        }
        finally
        {
            peer.AttemptedAt = run.Clock.Ticks;
        }
    }

    private void Attempt(LogBatch batch, CancellationToken cancellationToken)
    {
        ObjectDisposedException.ThrowIf(process.IsDead, this);
        CheckBatch(batch);
        run.Clock.Pass(peer.Duration());
        var dies = run.Enter(run.IsTraced ? $"request of {batch.Count} records, {peer}" : "");
        if (dies)
        {
            Take(batch, run.Choices.Between(0, batch.Count), advances: false);
            run.Die();
        }

        if (process.IsDead)
            throw new ProcessDiedException();
        if (run.Mutant == Mutant.UnexpectedException && run.Choices.Chance(0.1))
            throw new InvalidOperationException("made on purpose");
        switch (peer.Mood)
        {
            case PeerMood.Takes:
                Take(batch, batch.Count, advances: true);
                break;
            case PeerMood.Fails:
                throw Failure("refused");
            case PeerMood.TakesPart:
                TakeBytes(batch, run.Choices.Between(0, batch.Bytes.Length));
                throw Failure("reset");
            case PeerMood.TakesAndDies:
                Take(batch, run.Choices.Between(0, batch.Count), advances: false);
                throw Failure("reset");
            case PeerMood.RejectsSome:
                RejectSome(batch);
                Take(batch, batch.Count, advances: true);
                break;
            case PeerMood.RejectsAll:
                RejectAll(batch);
                break;
            case PeerMood.Hangs:
                Hang(cancellationToken);
                throw Failure("timeout");
        }
    }

    public ValueTask DisposeAsync() => default;

    private static LogSinkException Failure(string errorType) => new(errorType, $"the peer: {errorType}");

    private int IdOf(BatchRecord record)
    {
        if (record.Category is "AsyncLog")
            return -1;
        var kind = run.Records.Read(record.Bytes.Span[..^1], out var id);
        if (kind != LineKind.Record)
            run.Fail($"the sink is offered a record that is none: {Encoding.UTF8.GetString(record.Bytes.Span)}");
        else if (run.Records[id].Level != record.Level)
            run.Fail($"record {id} of level {run.Records[id].Level} is offered to the sink with level {record.Level}");
        return id;
    }

    private void CheckBatch(LogBatch batch)
    {
        for (var i = 0; i < batch.Count; i++)
        {
            var id = IdOf(batch[i]);
            if (id >= 0 && _settled.Contains(id) && !isRepeated(id))
                run.Fail(string.Create(CultureInfo.InvariantCulture, $"record {id} is offered to the sink again after it was taken or refused"));
        }
    }

    // Whole records; a peer that dies has them, and the sink does not know.
    private void Take(LogBatch batch, int count, bool advances)
    {
        // The half of a record that was taken before would be on the connection that breaks.
        if (!advances && batch.FirstRecordBytesWritten > 0)
            return;
        var bytes = 0;
        for (var i = 0; i < count; i++)
        {
            var id = IdOf(batch[i]);
            var length = batch[i].Bytes.Length - (i == 0 ? batch.FirstRecordBytesWritten : 0);
            bytes += length;
            if (advances)
                _settled.Add(id);
            else
                peer.Uncertain.Add(id);
        }

        if (!advances)
        {
            peer.ReceiveAndBreak(batch.Bytes.Span[..bytes]);
            return;
        }

        peer.Receive(batch.Bytes.Span[..bytes]);
        batch.Advance(bytes);
    }

    // Any number of bytes: the rest of a record follows with the next attempt.
    private void TakeBytes(LogBatch batch, int bytes)
    {
        var before = new int[batch.Count];
        for (var i = 0; i < before.Length; i++)
            before[i] = IdOf(batch[i]);
        var count = batch.Count;
        peer.Receive(batch.Bytes.Span[..bytes]);
        batch.Advance(bytes);
        for (var i = 0; i < count - batch.Count; i++)
            _settled.Add(before[i]);
    }

    private void RejectSome(LogBatch batch)
    {
        var first = batch.FirstRecordBytesWritten > 0 ? 1 : 0;
        for (var i = batch.Count - 1; i >= first; i--)
        {
            if (!run.Choices.Chance(0.3))
                continue;
            Settle(batch[i], Rejected);
            batch.Refuse(i, DropReason.Rejected);
        }
    }

    private void RejectAll(LogBatch batch)
    {
        // The rest of a record that is there in part ends it.
        if (batch.FirstRecordBytesWritten > 0)
            Take(batch, 1, advances: true);
        for (var i = 0; i < batch.Count; i++)
            Settle(batch[i], Refused);
        batch.RefuseRest(DropReason.SinkPermanent);
    }

    private void Settle(BatchRecord record, long[] counts)
    {
        var id = IdOf(record);
        if (id < 0)
            return;
        _settled.Add(id);
        run.Records[id].MayComeLate = true;
        if (!process.IsFinal)
            counts[(int)record.Level]++;
    }

    private void Hang(CancellationToken cancellationToken)
    {
        run.Hang(TimeSpan.FromMinutes(run.Choices.Of(1, 30)), () => cancellationToken.IsCancellationRequested || peer.Mood != PeerMood.Hangs);
        if (process.IsDead)
            throw new ProcessDiedException();
        cancellationToken.ThrowIfCancellationRequested();
    }
}
