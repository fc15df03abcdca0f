namespace AsyncLog.Tests.Transport;

public sealed class BoundedResponseTests
{
    [Fact]
    public async Task At_most_4_MiB_of_a_response_are_read()
    {
        using var endless = new EndlessStream();
        var body = new BoundedResponse();
        Assert.Equal(0, body.Bytes.Length);
        Assert.False(await body.ReadAsync(endless, isDirect: false, TestContext.Current.CancellationToken));
        Assert.Equal(4 << 20, body.Bytes.Length);
        Assert.Equal(4 << 20, endless.Position);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_short_response_is_read_to_its_end(bool isDirect)
    {
        using var stream = new MemoryStream([1, 2, 3]);
        var body = new BoundedResponse();
        Assert.True(await body.ReadAsync(stream, isDirect, TestContext.Current.CancellationToken));
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
