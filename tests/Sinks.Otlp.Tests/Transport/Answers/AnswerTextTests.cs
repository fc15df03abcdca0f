using System.Text;

namespace AsyncLog.Tests.Transport.Answers;

public sealed class AnswerTextTests
{
    private static readonly KeyValuePair<string, string>[] Headers = [new("api-key", "s3cret-value"), new("empty", "")];

    [Fact]
    public void Security_S15_A_header_that_a_server_echoes_is_not_told()
        => Assert.Equal("bad key ***, go away", AnswerText.Of("bad key s3cret-value, go away"u8, Headers));

    [Fact]
    public void OT_34_At_most_1_KiB_is_told_and_no_character_is_cut_in_half()
    {
        string text = AnswerText.Of(Encoding.UTF8.GetBytes("x" + new string('€', 4000)), []);
        Assert.Equal(341, text.Count(static letter => letter == '€'));
        Assert.DoesNotContain('\uFFFD', text);
    }

    [Fact]
    public void OT_34_The_message_of_a_protobuf_status_is_its_text()
        => Assert.Equal("bad", AnswerText.OfRefusal([0x08, 0x03, 0x12, 0x03, .. "bad"u8], "application/x-protobuf", []));

    [Theory]
    [InlineData("a%20b", "a b")]
    [InlineData("%E2%82%AC", "€")]
    [InlineData("50%", "50%")]
    [InlineData("%zz %4", "%zz %4")]
    [InlineData("plain", "plain")]
    public void OT_33_A_grpc_message_is_percent_decoded_and_a_broken_escape_stays(string value, string decoded)
        => Assert.Equal(decoded, GrpcText.DecodeMessage(value));

    [Theory]
    [InlineData("AQID", 3)]
    [InlineData("AQI=", 2)]
    [InlineData("AQI", 2)]
    [InlineData("AQ", 1)]
    public void OT_33_A_binary_value_is_read_with_and_without_padding(string value, int bytes)
        => Assert.Equal(bytes, GrpcText.TryDecodeBinary(value)!.Length);

    [Theory]
    [InlineData(null)]
    [InlineData("A")]
    [InlineData("!!!!")]
    public void OT_33_What_cannot_be_decoded_counts_as_absent(string? value) => Assert.Null(GrpcText.TryDecodeBinary(value));
}
