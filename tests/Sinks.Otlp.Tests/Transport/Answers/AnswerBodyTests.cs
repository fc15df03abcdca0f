namespace AsyncLog.Tests.Transport.Answers;

public sealed class AnswerBodyTests
{
    [Fact]
    public async Task OT_38_Fault_F129_Never_more_than_4_MiB_are_read()
    {
        using var endless = new EndlessStream();
        var body = new AnswerBody();
        Assert.False(await body.ReadAsync(endless, TestContext.Current.CancellationToken));
        Assert.Equal(4 << 20, body.Bytes.Length);
        Assert.Equal(4 << 20, endless.Position);
        body.Clear();
        Assert.Equal(0, body.Bytes.Length);
    }

    [Fact]
    public async Task A_short_answer_is_read_to_its_end()
    {
        using var stream = new MemoryStream([1, 2, 3]);
        var body = new AnswerBody();
        Assert.True(await body.ReadAsync(stream, TestContext.Current.CancellationToken));
        Assert.Equal([1, 2, 3], body.Bytes.ToArray());
    }

    private sealed class EndlessStream : MemoryStream
    {
        private long _position;

        public override long Position
        {
            get => _position;
            set => _position = value;
        }

        public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
        {
            _position += buffer.Length;
            return new ValueTask<int>(buffer.Length);
        }
    }
}
