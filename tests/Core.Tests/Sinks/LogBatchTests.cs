using System.Text;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Sinks;

public sealed class LogBatchTests
{
    [Fact]
    public void A_batch_that_no_segment_could_hold_is_not_made()
    {
        var megabyte = new BatchRecord(new byte[1 << 20], LogLevel.Information, DateTimeOffset.UnixEpoch, "Test");
        Assert.Equal(4 << 20, LogBatch.Create(megabyte, megabyte, megabyte, megabyte).Bytes.Length);
        Assert.Throws<ArgumentException>(() => LogBatch.Create(megabyte, megabyte, megabyte, megabyte, megabyte));
        Assert.Throws<ArgumentException>(() => LogBatch.Create(megabyte with { Bytes = new byte[(1 << 20) + 1] }));
        Assert.Throws<ArgumentException>(() => LogBatch.Create(megabyte with { Bytes = default }));
    }

    [Theory]
    [InlineData(LogLevel.None)]
    [InlineData((LogLevel)(-1))]
    [InlineData((LogLevel)7)]
    public void A_batch_has_no_record_of_a_level_that_cannot_be_logged(LogLevel level)
    {
        var error = Assert.Throws<ArgumentException>(() => LogBatch.Create(new BatchRecord(new byte[1], level, DateTimeOffset.UnixEpoch, "Test")));
        Assert.StartsWith($"A record has a level from Trace to Critical, not {level}.", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Another_sink_learns_where_a_killed_process_was_writing()
    {
        var batch = Batch("one", "two");
        batch.Resume(2, new WriteMark(1, 2, 3));
        batch.RestartRecord();
        Assert.Equal((new WriteMark(1, 2, 3), "etwo"), (batch.InterruptedWrite, Encoding.UTF8.GetString(batch.Bytes.Span)));

        // The sink before found nothing there and wrote a part itself.
        batch.Advance(2);
        batch.RestartRecord();
        Assert.Equal((null, "two"), (batch.InterruptedWrite, Encoding.UTF8.GetString(batch.Bytes.Span)));
    }

    [Fact]
    public void The_batch_knows_how_much_of_its_first_record_is_written()
    {
        var batch = Batch("one", "three", "two");
        Assert.Equal(0, batch.FirstRecordBytesWritten);
        batch.Advance(4);
        Assert.Equal(1, batch.FirstRecordBytesWritten);
        batch.Refuse(1, DropReason.Rejected);
        Assert.Equal((1, "hree"), (batch.FirstRecordBytesWritten, Encoding.UTF8.GetString(batch.Bytes.Span)));
        batch.Advance(4);
        Assert.Equal((0, 0), (batch.FirstRecordBytesWritten, batch.Count));
    }

    [Fact]
    public void No_record_is_refused_twice()
    {
        var batch = Batch("one", "two", "three");
        batch.RefuseCount(2, DropReason.Rejected);
        batch.RefuseRest(DropReason.SinkPermanent);
        Assert.Equal((3, 2, 1), (batch.Refused.Total, batch.Refused.Of(DropReason.Rejected), batch.Refused.Of(DropReason.SinkPermanent)));

        batch = Batch("one", "two");
        batch.RefuseCount(2, DropReason.Rejected);
        batch.Refuse(0, DropReason.Oversize);
        batch.RefuseCount(5, DropReason.Rejected);
        Assert.Equal((2, 2), (batch.Refused.Total, batch.Refused.Of(DropReason.Rejected)));
    }

    [Fact]
    public void Records_refused_without_names_are_behind_when_they_were_advanced_over()
    {
        var batch = Batch("one", "two", "three", "four");
        batch.RefuseCount(1, DropReason.Rejected);
        batch.Advance("onetwo".Length);
        batch.RefuseRest(DropReason.SinkPermanent);
        Assert.Equal((3, 1, 2), (batch.Refused.Total, batch.Refused.Of(DropReason.Rejected), batch.Refused.Of(DropReason.SinkPermanent)));

        batch = Batch("one", "two");
        batch.RefuseCount(1, DropReason.Rejected);
        batch.Advance("one".Length);
        batch.Refuse(0, DropReason.Oversize);
        Assert.Equal((2, 1, 1), (batch.Refused.Total, batch.Refused.Of(DropReason.Rejected), batch.Refused.Of(DropReason.Oversize)));
    }

    [Fact]
    public void Refusing_a_later_record_leaves_a_partly_written_one_whole()
    {
        var batch = Batch("first", "second", "third");
        batch.Advance(2);
        batch.Refuse(1, DropReason.EncodeFailed);
        Assert.Equal("rstthird", Encoding.UTF8.GetString(batch.Bytes.Span));
        Assert.Equal("first", Encoding.UTF8.GetString(batch[0].Bytes.Span));
        Assert.Equal("third", Encoding.UTF8.GetString(batch[1].Bytes.Span));
    }

    [Fact]
    public void Advancing_by_more_than_is_left_or_by_less_than_nothing_is_refused_and_changes_nothing()
    {
        var batch = Batch("one", "two");
        batch.Advance(3);
        Assert.Throws<ArgumentOutOfRangeException>(() => batch.Advance(4));
        Assert.Throws<ArgumentOutOfRangeException>(() => batch.Advance(-1));
        Assert.Equal("two", Encoding.UTF8.GetString(batch.Bytes.Span));
    }

    private static LogBatch Batch(params string[] records)
        => LogBatch.Create([.. records.Select(static text => new BatchRecord(Encoding.UTF8.GetBytes(text), LogLevel.Information, DateTimeOffset.UnixEpoch, "Test"))]);

    [Theory]
    [InlineData(DropReason.QueueFull)]
    [InlineData(DropReason.AlreadyShutdown)]
    [InlineData(DropReason.SpoolFull)]
    [InlineData(DropReason.SpoolExpired)]
    [InlineData(DropReason.SpoolCorrupt)]
    [InlineData(DropReason.SpoolForeign)]
    [InlineData(DropReason.CrashUncommitted)]
    [InlineData((DropReason)7)]
    public void A_reason_that_is_not_a_sinks_is_refused_with_those_that_are(DropReason reason)
    {
        var batch = LogBatch.Create(new BatchRecord("a"u8.ToArray(), LogLevel.Information, DateTimeOffset.UnixEpoch, "Test"));
        foreach (Action refuse in new Action[] { () => batch.Refuse(0, reason), () => batch.RefuseRest(reason), () => batch.RefuseCount(1, reason) })
        {
            Assert.Equal(
                $"'{reason}' is not a reason that a sink can give: expected Evicted, DiskLow, Oversize, WriteFailed, EncodeFailed, RetryExhausted, Rejected, SinkPermanent or ShutdownTimeout. (Parameter 'reason')",
                Assert.Throws<ArgumentException>(refuse).Message);
        }

        Assert.Equal((1, 0L), (batch.Count, batch.Refused.Total));
    }
}
