using FsCheck;
using FsCheck.Fluent;
using Google.Protobuf;

namespace AsyncLog.Tests.Transport;

public sealed class ServerDelayTests
{
    private static readonly DateTimeOffset Now = new(2026, 11, 20, 12, 34, 56, TimeSpan.Zero);

    [Theory]
    [InlineData("7", 7.0)]
    [InlineData(" 7 ", 7.0)]
    [InlineData("0", 0.1)]
    [InlineData("600", 600.0)]
    [InlineData("601", 600.0)]
    [InlineData("99999999999999999999999999", 600.0)]
    [InlineData("Fri, 20 Nov 2026 12:35:06 GMT", 10.0)]
    [InlineData("Fri, 20 Nov 2099 12:35:06 GMT", 600.0)]
    public void A_delay_is_read_and_clamped(string value, double seconds)
        => Assert.Equal(TimeSpan.FromSeconds(seconds), ServerDelay.FromRetryAfter(value, Now));

    [Theory]
    [InlineData(null)]
    [InlineData("")]
    [InlineData("-1")]
    [InlineData("+5")]
    [InlineData("1.5")]
    [InlineData("soon")]
    [InlineData("Fri, 20 Nov 2026 12:00:00 GMT")]
    [InlineData("٣")]
    public void An_invalid_delay_is_ignored(string? value) => Assert.Null(ServerDelay.FromRetryAfter(value, Now));

    [Fact]
    public void No_bytes_of_a_peer_break_the_reader_or_exceed_the_limits()
        => Prop.ForAll(ArbMap.Default.ArbFor<byte[]>(), static bytes =>
            ServerDelay.FromStatusDetails(bytes) is not { } delay || (delay >= TimeSpan.FromSeconds(0.1) && delay <= TimeSpan.FromMinutes(10)))
            .QuickCheckThrowOnFailure();

    [Theory]
    [InlineData(7, 500_000_000, 7.5)]
    [InlineData(0, 0, 0.1)]
    [InlineData(0, 99_999_999, 0.1)]
    [InlineData(600, 0, 600.0)]
    [InlineData(600, 1, 600.0)]
    [InlineData(long.MaxValue, int.MaxValue, 600.0)]
    [InlineData(-1, 0, null)]
    [InlineData(0, -1, null)]
    [InlineData(long.MinValue, 0, null)]
    public void A_delay_of_RetryInfo_is_clamped_and_a_negative_one_is_ignored(long seconds, int nanos, double? expected)
    {
        byte[] duration = Encoded(output =>
        {
            output.WriteTag(1, WireFormat.WireType.Varint);
            output.WriteInt64(seconds);
            output.WriteTag(2, WireFormat.WireType.Varint);
            output.WriteInt32(nanos);
        });
        byte[] any = [.. Field(1, "type.googleapis.com/google.rpc.RetryInfo"u8.ToArray()), .. Field(2, Field(1, duration))];
        Assert.Equal(expected, ServerDelay.FromStatusDetails(Field(3, any))?.TotalSeconds);
    }

    [Fact]
    public void No_bytes_of_a_peer_break_the_reader_of_partial_success()
        => Prop.ForAll(ArbMap.Default.ArbFor<byte[]>(), static bytes => AttemptResult.FromResponse(bytes, []).Rejected >= 0).QuickCheckThrowOnFailure();

    private static byte[] Field(int number, byte[] content) => Encoded(output =>
    {
        output.WriteTag(number, WireFormat.WireType.LengthDelimited);
        output.WriteBytes(ByteString.CopyFrom(content));
    });

    private static byte[] Encoded(Action<CodedOutputStream> write)
    {
        using var stream = new MemoryStream();
        using (var output = new CodedOutputStream(stream, leaveOpen: true))
            write(output);
        return stream.ToArray();
    }
}
