using Microsoft.Extensions.Logging;
using Newtonsoft.Json.Linq;

namespace AsyncLog.Tests.Formatting;

public sealed class TokenValueTests
{
    [Fact]
    public async Task Values_of_Json_NET_are_their_json_and_their_text()
    {
        using var harness = new SyslogHarness(static options => options.MaxMessageSize = 8192);

        harness.Logger().LogInformation("{Order} {Number}", JObject.Parse("""{"id":"play004","n":5,"next":[1,[2.5]]}"""), new JValue(7));

        var record = Rfc5424Parser.Parse(Assert.Single(await harness.TakeFramesAsync()));
        Assert.Equal("""{"id":"play004","n":5,"next":[1,[2.5]]}""", record.Value("prop@32473", "Order"));
        Assert.Equal("7", record.Value("prop@32473", "Number"));
    }
}
