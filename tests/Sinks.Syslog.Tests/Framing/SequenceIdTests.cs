using System.Text;

namespace AsyncLog.Tests;

public sealed class SequenceIdTests
{
    [Theory]
    [InlineData(1, 2)]
    [InlineData(int.MaxValue - 1, int.MaxValue)]
    [InlineData(int.MaxValue, 1)]
    public void SY_26_The_number_counts_on_and_begins_again_at_1(int number, int next) => Assert.Equal(next, SequenceIdInsertion.Next(number));

    [Theory]
    [InlineData(FrameKind.None, "a [meta sequenceId=\"7\"] m")]
    [InlineData(FrameKind.OctetCounting, "25 a [meta sequenceId=\"7\"] m")]
    [InlineData(FrameKind.LineFeed, "a [meta sequenceId=\"7\"] m\n")]
    internal void SY_26_The_number_takes_the_place_of_nil_and_is_counted_in_the_frame(FrameKind framing, string expected)
    {
        byte[] record = [2, 0, .. "a - m"u8];
        var room = new byte[SequenceIdInsertion.RoomFor(record.Length)];

        var length = SequenceIdInsertion.Write(record, 7, framing, room);

        Assert.Equal(expected, Encoding.ASCII.GetString(room, 0, length));
    }

    [Fact]
    public void SY_26_The_number_stands_before_an_element()
    {
        byte[] record = [5, 0, .. "a [b][c]"u8];
        var room = new byte[SequenceIdInsertion.RoomFor(record.Length)];

        var length = SequenceIdInsertion.Write(record, int.MaxValue, FrameKind.None, room);

        Assert.Equal("a [b][meta sequenceId=\"2147483647\"][c]", Encoding.ASCII.GetString(room, 0, length));
        Assert.Equal(SequenceIdInsertion.MaxElementBytes, length - "a [b][c]".Length);
    }
}
