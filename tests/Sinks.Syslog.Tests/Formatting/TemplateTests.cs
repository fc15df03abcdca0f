using System.Text;
using AsyncLog.Tests.Configuration;
using FsCheck.Fluent;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace AsyncLog.Tests.Formatting;

/// <summary>The option <c>Template</c> (options.md §3): what stands in MSG.</summary>
public sealed class TemplateTests
{
    [Fact]
    public async Task The_text_is_what_the_template_gives_and_structured_data_stays()
    {
        using var harness = new SyslogHarness(static options => options.Template = "[{Level:u3}] {Category:s} {User,-5}|{Message} {Scopes}{NewLine}{Exception}");
        using (harness.Logger().BeginScope("checkout"))
            harness.Logger().LogWarning(new Named("E1\nE2"), "Order {Order} of {User}", 7, "Ann");

        var record = await Text(harness);
        Assert.Contains("User=\"Ann\"", record, StringComparison.Ordinal);
        Assert.EndsWith(@"] [WRN] Cart Ann  |Order 7 of Ann => checkout\nE1\nE2", record, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Control_characters_of_values_and_of_the_template_are_escaped()
    {
        using var harness = new SyslogHarness(static options =>
        {
            options.Template = "{A}\u001b|{Message}";
            (options.Endpoint, options.Framing) = (new Uri("tcp://h"), SyslogFraming.OctetCounting);
        });
        harness.Logger().LogInformation("{B}", "c\u2028d");
        using (harness.Logger().BeginScope(new Dictionary<string, object> { ["A"] = "a\tb" }))
            harness.Logger().LogInformation("{B}", "c\u2028d");

        var records = await harness.TakeAsync();
        Assert.EndsWith(@"] a\tb\u001b|c\u2028d", Encoding.UTF8.GetString(records[1]), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_text_that_is_too_long_is_cut_and_counted()
    {
        using var harness = new SyslogHarness(static options => (options.Template, options.MaxMessageSize, options.StructuredData) = ("<{Message}>", 480, false));
        harness.Logger().LogInformation("{Text}", new string('é', 2000));

        var record = Assert.Single(await harness.TakeAsync());
        Assert.InRange(record.Length, 478, 480);
        Assert.EndsWith("éé...", Encoding.UTF8.GetString(record), StringComparison.Ordinal);
        Assert.Equal(1, harness.Status.Truncated);
    }

    [Theory]
    [InlineData("é {Message}", true, true)]
    [InlineData("e {Message}", true, false)]
    [InlineData("\u0085 {Message}", true, false)]
    [InlineData("{Category}", false, false)]
    public async Task The_byte_order_mark_goes_by_what_the_template_gives(string template, bool beforeForeign, bool beforePlain)
    {
        using var harness = new SyslogHarness(options => (options.Template, options.Bom) = (template, true));
        harness.Logger("Shop").LogInformation("plain {Name}", "é");
        harness.Logger("Shop").LogInformation("plain");

        var records = await harness.TakeAsync();
        Assert.Equal([beforeForeign, beforePlain], records.Select(static record => HasMark(Encoding.UTF8.GetString(record))));
    }

    [Theory]
    [InlineData("Rfc3164")]
    [InlineData("Local")]
    public async Task The_older_forms_take_a_template_too(string format)
    {
        using var harness = new SyslogHarness(options => (options.Template, options.Format) = ("{Message} {Properties}", format));
        harness.Logger().LogInformation("Order {Order}", 7);
        using (harness.Logger().BeginScope(new Dictionary<string, object> { ["User"] = "Ann B" }))
            harness.Logger().LogInformation("Order {Order}", 8);

        var records = await harness.TakeAsync();
        Assert.EndsWith("]: Order 7", Encoding.UTF8.GetString(records[0]).TrimEnd(), StringComparison.Ordinal);
        Assert.EndsWith("]: Order 8 User=\"Ann B\"", Encoding.UTF8.GetString(records[1]), StringComparison.Ordinal);
    }

    [Fact]
    public void A_template_that_does_not_parse_stops_the_start_and_names_the_column()
    {
        var exception = Assert.ThrowsAny<OptionsValidationException>(static () => SyslogProvider.Start([("Template", "{Message} {Level:x9}")]).Dispose());

        Assert.Contains("Logging:AsyncSyslog:Template '{Message} {Level:x9}'", exception.Message, StringComparison.Ordinal);
        Assert.Contains("column 18: 'x9' is not a format of {Level}: expected u3, w3, t3, u, w, syslog or none", exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_time_stamp_in_a_template_has_the_format_of_its_hole_whatever_code_says_to_other_layouts()
    {
        using var harness = new SyslogHarness(static options => (options.Template, options.TimestampFormat) = ("{Timestamp:yyyy}", "%"));
        harness.Logger().LogInformation("a");

        Assert.EndsWith("] 2026", Text(harness).GetAwaiter().GetResult(), StringComparison.Ordinal);
    }

    [Fact]
    public void A_server_inherits_the_template_and_takes_it_back_with_an_empty_one()
    {
        using var provider = SyslogProvider.Start([("Template", "{Message}"), ("Servers:heir:Endpoint", "tcp://h"), ("Servers:other:Endpoint", "tcp://i"), ("Servers:other:Template", "")]);

        Assert.Equal("{Message}", provider.Options["syslog/heir"].Template);
        Assert.Null(provider.Options["syslog/other"].Template);
    }

    [Fact]
    public void A_template_of_message_and_exception_gives_the_bytes_that_no_template_gives_where_there_is_a_message()
    {
        using var plain = new SyslogHarness(static options => (options.MaxMessageSize, options.StructuredData) = (480, false));
        using var templated = new SyslogHarness(
            static options => (options.MaxMessageSize, options.StructuredData, options.Template) = (480, false, "{Message}{NewLine}{Exception}"), plain.Clock);

        var texts = Arb.From(Gen.OneOf(ArbMap.Default.GeneratorFor<string>().Select(static text => text ?? ""), Gen.Choose(0, 700).Select(static length => new string('ü', length))));
        Prop.ForAll(texts, texts, Arb.From(Gen.Elements("m", "\n", "m\n", "m\r\n")), (message, detail, end) =>
        {
            var exception = detail.Length % 2 == 0 ? new Named(detail + "e") : null;
            message = message.Trim('\r', '\n', '\uFEFF').Length == 0 ? "m" : message;
            foreach (var harness in (SyslogHarness[])[plain, templated])
                harness.Logger().Log(LogLevel.Error, default, message + end, exception, static (state, _) => state);
            Assert.Equal(Assert.Single(plain.TakeAsync().GetAwaiter().GetResult()), Assert.Single(templated.TakeAsync().GetAwaiter().GetResult()));
        }).QuickCheckThrowOnFailureWith(2000);
    }

    // The mark is the beginning of the text, or nowhere.
    private static bool HasMark(string record)
    {
        Assert.Equal(record.IndexOf("] \uFEFF", StringComparison.Ordinal) is var end and >= 0 ? end + 2 : -1, record.LastIndexOf('\uFEFF'));
        return record.Contains('\uFEFF', StringComparison.Ordinal);
    }

    private static async Task<string> Text(SyslogHarness harness) => Encoding.UTF8.GetString(Assert.Single(await harness.TakeAsync()));

    private sealed class Named(string text) : Exception
    {
        public override string ToString() => text;
    }
}
