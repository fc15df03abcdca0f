using System.Text;

namespace AsyncLog.Tests.Receivers;

public sealed class FrameCounterTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(5)]
    [InlineData(1_000)]
    public void Frames_are_counted_whatever_pieces_they_come_in(int piece)
    {
        var counter = new FrameCounter();
        foreach (var part in Encoding.UTF8.GetBytes("5 <1>1 11 <14>1 10 é12 not yet all").Chunk(piece))
            counter.Add(part);

        Assert.Equal(2, counter.Count);
    }

    [Theory]
    [InlineData("<14>1 not framed")]
    [InlineData(" <14>1")]
    [InlineData("12345678 <14>1")]
    public void Anything_else_is_refused(string text)
        => Assert.Throws<InvalidOperationException>(() => new FrameCounter().Add(Encoding.UTF8.GetBytes(text)));
}
