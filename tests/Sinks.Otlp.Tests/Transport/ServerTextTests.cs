using System.Net;
using System.Text;

namespace AsyncLog.Tests.Transport;

public sealed class ServerTextTests
{
    private static readonly KeyValuePair<string, string>[] Headers = [new("api-key", "s3cret-value"), new("empty", "")];

    [Fact]
    public void A_header_that_a_server_echoes_is_not_reported()
        => Assert.Equal("bad key ***, go away", ServerText.Of("bad key s3cret-value, go away"u8, Headers));

    [Theory]
    [InlineData("1", "message larger than limit 4194304; tenant 1", "message larger than limit 4194304; tenant ***")]
    [InlineData("Bearer secret-token", "token c2VjcmV0LXRva2Vu, secret-token or Bearer secret-token", "token ***, *** or ***")]
    [InlineData("Basic bWU6cGFzcy13b3Jk", "bWU6cGFzcy13b3Jk is me:pass-word, wrong password pass-word", "*** is ***, wrong password ***")]
    [InlineData("abc", "abcd abc xabc abc", "abcd *** xabc ***")]
    public void A_secret_and_its_encoded_forms_are_hidden_and_nothing_else(string value, string said, string told)
        => Assert.Equal(told, ServerText.Of(said, [new("X-Key", value)]));

    [Theory]
    [InlineData("text/html; charset=utf-8")]
    [InlineData(null)]
    public void A_page_is_only_named(string? contentType)
        => Assert.Equal("an HTML page", ServerText.OfRefusal("<!DOCTYPE html>\n<html><body><h1>Not&nbsp;Found</h1></body></html>"u8, contentType, []));

    [Fact]
    public void Line_breaks_and_control_characters_become_spaces()
        => Assert.Equal("one two three", ServerText.OfRefusal("one\r\n\ttwo\0three\n"u8, "text/plain", []));

    [Fact]
    public void Characters_beyond_the_basic_plane_stay()
        => Assert.Equal("no tenant 🦊, 𝒙", ServerText.OfRefusal("no tenant 🦊, 𝒙"u8, "text/plain", []));

    [Fact]
    public void At_most_1_KiB_is_told_and_no_character_is_cut_in_half()
    {
        string text = ServerText.Of(Encoding.UTF8.GetBytes("x" + new string('€', 4000)), []);
        Assert.Equal(341, text.Count(static letter => letter == '€'));
        Assert.DoesNotContain('\uFFFD', text);
    }

    [Fact]
    public void The_message_of_a_protobuf_status_is_its_text()
        => Assert.Equal("bad", ServerText.OfRefusal([0x08, 0x03, 0x12, 0x03, .. "bad"u8], "application/x-protobuf", []));

    [Theory]
    [InlineData("a%20b", "a b")]
    [InlineData("%E2%82%AC", "€")]
    [InlineData("50%", "50%")]
    [InlineData("%zz %4", "%zz %4")]
    [InlineData("plain", "plain")]
    public void A_grpc_message_is_percent_decoded_and_a_broken_escape_stays(string value, string decoded)
    {
        var options = new AsyncOtlpLoggerOptions { Endpoint = new Uri("http://localhost/") };
        var result = GrpcStatusMapper.Map(HttpStatusCode.OK, name => name switch { "grpc-status" => "3", "grpc-message" => value, _ => null }, default, options);
        Assert.Equal("http://localhost/ answers grpc-status 3: " + decoded, result.Text);
    }

    [Theory]
    [InlineData("AQID", new byte[] { 1, 2, 3 })]
    [InlineData("AQI=", new byte[] { 1, 2 })]
    [InlineData("AQI", new byte[] { 1, 2 })]
    [InlineData("AQ", new byte[] { 1 })]
    public void A_binary_value_is_read_with_and_without_padding(string value, byte[] bytes)
        => Assert.Equal(bytes, GrpcStatusMapper.TryDecodeBinary(value));

    [Theory]
    [InlineData(null)]
    [InlineData("A")]
    [InlineData("!!!!")]
    public void What_cannot_be_decoded_counts_as_absent(string? value) => Assert.Null(GrpcStatusMapper.TryDecodeBinary(value));
}
