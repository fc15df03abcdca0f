using System.Text;
using AsyncLog.Tests.Transport;

namespace AsyncLog.Tests.Framing;

public sealed class FrameBlockTests
{
    [Fact]
    public void Frames_are_coalesced_up_to_the_limit_and_end_at_a_frame()
    {
        var block = new FrameBlock(FrameKind.OctetCounting, isNumbered: false, endsLines: false);
        LogBatch batch = Records.Batch("3 aaa", "3 bbb", "3 ccc");
        block.Fill(batch, 12, 1);
        Assert.Equal((2, "3 aaa3 bbb"), (block.Count, Text(block)));
    }

    [Fact]
    public void A_frame_larger_than_the_limit_is_written_alone()
    {
        var block = new FrameBlock(FrameKind.OctetCounting, isNumbered: false, endsLines: false);
        LogBatch batch = Records.Batch("9 123456789", "3 bbb");
        block.Fill(batch, 4, 1);
        Assert.Equal((1, "9 123456789"), (block.Count, Text(block)));
    }

    [Fact]
    public void On_a_local_stream_each_record_ends_with_a_line_feed()
    {
        var block = new FrameBlock(FrameKind.None, isNumbered: false, endsLines: true);
        block.Fill(Records.Batch("one", "two"), 100, 1);
        Assert.Equal(("one\ntwo\n", 4), (Text(block), block.FrameLengths[0]));
        Assert.Equal((1, 4, 3), (block.CountWithin(7, out int frameBytes, out int recordBytes), frameBytes, recordBytes));
    }

    [Fact]
    public void Numbers_go_on_within_a_block_and_the_octet_count_follows()
    {
        var block = new FrameBlock(FrameKind.OctetCounting, isNumbered: true, endsLines: false);
        block.Fill(Records.Numbered(Records.Plain("a"), Records.Plain("b")), 1000, int.MaxValue);
        Assert.Equal(
            Records.Framed($"{Records.Header}[meta sequenceId=\"2147483647\"] a") + Records.Framed($"{Records.Header}[meta sequenceId=\"1\"] b"), Text(block));
    }

    private static string Text(FrameBlock block) => Encoding.UTF8.GetString(block.Bytes.Span);
}
