using FsCheck;
using FsCheck.Fluent;

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
            ServerDelay.FromStatusDetails(bytes) is not { } delay || (delay >= ServerDelay.Shortest && delay <= ServerDelay.Longest)).QuickCheckThrowOnFailure();

    [Fact]
    public void No_bytes_of_a_peer_break_the_reader_of_partial_success()
        => Prop.ForAll(ArbMap.Default.ArbFor<byte[]>(), static bytes => AttemptResult.FromResponse(bytes, []).Rejected >= 0).QuickCheckThrowOnFailure();
}
