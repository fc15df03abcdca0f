using System.Text;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Survival;

public sealed class SegmentFileTests
{
    [Fact]
    public void Room_between_records_is_not_read_back()
    {
        var categories = new CategoryTable();
        var category = categories.Add("Test");
        Slot[] slots = [Slot(0, 4), default, Slot(8, 4)];
        var image = SegmentFile.Encode(slots, Encoding.UTF8.GetBytes("one\n????two\n"), wireId: 1, categories);
        byte[] file = [.. image.Head, .. image.Bytes.Span];

        var (bytes, read) = SegmentFile.ReadRecords(file, SegmentFile.ReadHeader(file)!, categories.Add);

        Assert.Equal("one\ntwo\n", Encoding.UTF8.GetString(bytes));
        Assert.Equal(["one\n", "two\n"], read.Select(slot => Encoding.UTF8.GetString(bytes, AsyncLog.Slot.Offset(slot.Word), AsyncLog.Slot.Length(slot.Word))));

        Slot Slot(int offset, int length) => new() { Ticks = 1, Word = AsyncLog.Slot.Pack(offset, length, LogLevel.Information, category) };
    }
}
