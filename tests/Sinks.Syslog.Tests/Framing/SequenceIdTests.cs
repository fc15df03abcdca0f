using System.Text;
using AsyncLog.Tests.Vectors;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Framing;

public sealed class SequenceIdTests
{
    [Theory]
    [InlineData(1, 2)]
    [InlineData(int.MaxValue - 1, int.MaxValue)]
    [InlineData(int.MaxValue, 1)]
    public void The_number_counts_on_and_begins_again_at_1(int number, int next) => Assert.Equal(next, SequenceCounter.After(number));

    [Theory]
    [InlineData(FrameKind.None, "a [meta sequenceId=\"7\"] m")]
    [InlineData(FrameKind.OctetCounting, "25 a [meta sequenceId=\"7\"] m")]
    [InlineData(FrameKind.LineFeed, "a [meta sequenceId=\"7\"] m\n")]
    internal void The_number_takes_the_place_of_nil_and_is_counted_in_the_frame(FrameKind framing, string expected)
    {
        byte[] record = [2, 0, .. "a - m"u8];
        var room = new byte[RecordFraming.RoomFor(record.Length)];

        var length = RecordFraming.WriteNumbered(record, 7, framing, room);

        Assert.Equal(expected, Encoding.ASCII.GetString(room, 0, length));
    }

    [Fact]
    public void The_number_stands_before_an_element()
    {
        byte[] record = [5, 0, .. "a [b][c]"u8];
        var room = new byte[RecordFraming.RoomFor(record.Length)];

        var length = RecordFraming.WriteNumbered(record, int.MaxValue, FrameKind.None, room);

        Assert.Equal("a [b][meta sequenceId=\"2147483647\"][c]", Encoding.ASCII.GetString(room, 0, length));
        Assert.Equal(RecordFraming.MaxNumberBytes, length - "a [b][c]".Length);
    }

    [Fact]
    public void The_number_stands_behind_the_last_element_of_a_record_without_text()
    {
        byte[] record = [5, 0, .. "a [b]"u8];
        var room = new byte[RecordFraming.RoomFor(record.Length)];

        var length = RecordFraming.WriteNumbered(record, 7, FrameKind.OctetCounting, room);

        Assert.Equal("26 a [b][meta sequenceId=\"7\"]", Encoding.ASCII.GetString(room, 0, length));
    }

    [Theory]
    [InlineData(new byte[0])]
    [InlineData(new byte[] { 2 })]
    [InlineData(new byte[] { 4, 0, (byte)'a', (byte)' ', (byte)'-' })]
    public void A_record_whose_offset_is_not_in_its_message_is_not_written(byte[] record)
    {
        var room = new byte[100];

        Assert.Equal(0, RecordFraming.WriteNumbered(record, 7, FrameKind.OctetCounting, room));
        Assert.Equal(new byte[100], room);
    }

    [Fact]
    public async Task A_record_that_says_nothing_has_its_number_in_place_of_the_nil_value()
    {
        using var harness = new SyslogHarness(static options =>
        {
            VectorOptions.Set(options, null);
            options.SequenceId = true;
        });
        harness.Logger("").LogInformation("");

        var record = Assert.Single(await harness.TakeFramesAsync());
        Assert.EndsWith(" 4242 - [meta sequenceId=\"1\"]", Encoding.UTF8.GetString(record), StringComparison.Ordinal);
    }
}
