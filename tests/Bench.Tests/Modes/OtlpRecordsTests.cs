namespace AsyncLog.Tests.Modes;

public sealed class OtlpRecordsTests
{
    // severity, body "x", then the attributes "a" = "b" and "OrderId" = 300
    private static readonly byte[] Record =
    [
        0x10, 9, 0x2A, 3, 0x0A, 1, (byte)'x', 0x32, 8, 0x0A, 1, (byte)'a', 0x12, 3, 0x0A, 1, (byte)'b',
        0x32, 14, 0x0A, 7, .. "OrderId"u8, 0x12, 3, 0x18, 0xAC, 0x02,
    ];

    [Fact]
    public void Records_of_all_scopes_are_counted_and_their_order_numbers_added_up()
    {
        byte[] scope = Field(0x12, [.. Field(0x0A, []), .. Field(0x12, Record), .. Field(0x12, Record)]);
        byte[] request = Field(0x0A, [.. Field(0x0A, []), .. scope, .. scope]);
        Assert.Equal(new WrittenLines(4, 1200), OtlpRecords.In(request));
    }

    [Fact]
    public void A_record_without_an_order_is_counted_and_adds_nothing_to_the_sum()
        => Assert.Equal(new WrittenLines(1, 0), OtlpRecords.In(Field(0x0A, Field(0x12, Field(0x12, [0x10, 9])))));

    [Theory]
    [InlineData(new byte[] { 0x0A, 5, 0 })]
    [InlineData(new byte[] { 0x0A, 0x80 })]
    [InlineData(new byte[] { 0x0B, 0 })]
    public void A_broken_request_is_told(byte[] request) => Assert.Throws<FormatException>(() => OtlpRecords.In(request));

    // the length always in two bytes
    private static byte[] Field(byte tag, byte[] content) => [tag, (byte)(content.Length | 0x80), (byte)(content.Length >> 7), .. content];
}
