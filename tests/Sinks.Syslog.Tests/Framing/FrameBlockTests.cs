using System.Text;
using AsyncLog.Tests.Transport;

namespace AsyncLog.Tests.Framing;

public sealed class FrameBlockTests
{
    [Theory]
    [InlineData(9, 1, "3 aaa")]
    [InlineData(10, 2, "3 aaa3 bbb")]
    [InlineData(14, 2, "3 aaa3 bbb")]
    [InlineData(15, 3, "3 aaa3 bbb3 ccc")]
    public void Frames_are_coalesced_up_to_the_limit_and_end_at_a_frame(int limit, int count, string bytes)
    {
        var block = new FrameBlock(FrameKind.OctetCounting, isNumbered: false, endsLines: false);
        LogBatch batch = Records.Batch("3 aaa", "3 bbb", "3 ccc");
        block.Fill(batch, limit, 1);
        Assert.Equal((count, bytes), (block.Count, Text(block)));
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
        Assert.Equal("one\ntwo\n", Text(block));
        Assert.Equal([4, 4], block.FrameLengths.ToArray());
        Assert.Equal((1, 4, 3), (block.CountWithin(7, out int frameBytes, out int recordBytes), frameBytes, recordBytes));
        Assert.Equal((2, 8, 6), (block.CountWithin(8, out frameBytes, out recordBytes), frameBytes, recordBytes));
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
