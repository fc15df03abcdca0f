using System.Text;
using FsCheck.Fluent;

namespace AsyncLog.Tests.Formatting;

public sealed class DatagramTruncationTests
{
    private const string Header = "<14>1 2026-11-20T12:34:56.123456Z host-1 shop 4242 - ";
    private static readonly SyslogLayout Layout = new();

    [Fact]
    public void The_text_gives_way_first()
    {
        var before = Header + "[log@32473 category=\"C\"] ";

        var cut = Cut(before + new string('x', 2000), 1024, out var dropped);

        Assert.Equal(before + new string('x', 1024 - 3 - before.Length) + "...", cut);
        Assert.Equal(0, dropped);
    }

    [Fact]
    public void Structured_data_that_is_too_long_becomes_the_number_of_its_parameters()
    {
        var message = Header + $"[opentelemetry trace_id=\"1\" span_id=\"2\"][log@32473 category=\"a\\]\\\"b\" dropped=\"7\"][prop@32473 p=\"{new string('v', 900)}\"] text";

        var cut = Cut(message, 512, out var dropped);

        Assert.Equal(Header + "[log@32473 dropped=\"11\"] text", cut);
        Assert.Equal(4, dropped);
    }

    [Fact]
    public void The_number_stays()
    {
        var message = Header + $"[meta sequenceId=\"12\"][prop@32473 p=\"{new string('v', 900)}\"] text";

        Assert.Equal(Header + "[meta sequenceId=\"12\"][log@32473 dropped=\"1\"] text", Cut(message, 512, out _, Layout with { SequenceId = true }));
    }

    [Theory]
    [InlineData("[a x=\"1\"] text", 60)]
    [InlineData("[a x=\"1\"] text", 40)]
    [InlineData("[a x=\"0123456789012345678901234567890123456789\"] text", 78)]
    [InlineData("- text", 53)]
    [InlineData("- text", 40)]
    public void A_header_that_does_not_fit_with_the_least_structured_data_gives_nothing(string rest, int limit)
    {
        // The header has 53 bytes, and the element with the number of missing parameters 26.
        Assert.Equal("", Cut(Header + rest, limit, out var dropped));
        Assert.Equal(0, dropped);
    }

    [Theory]
    [InlineData("[a x=\"1\"] text", 62, "[a x=\"1\"]", 0)]
    [InlineData("[a x=\"0123456789012345678901234567890123456789\"] text", 79, "[log@32473 dropped=\"1\"]", 1)]
    [InlineData("- text", 54, "-", 0)]
    public void A_header_that_just_fits_with_the_least_structured_data_stays_without_text(string rest, int limit, string expected, int missing)
    {
        Assert.Equal(Header + expected, Cut(Header + rest, limit, out var dropped));
        Assert.Equal(missing, dropped);
    }

    [Fact]
    public void What_fits_stays() => Assert.Equal(Header + "- text", Cut(Header + "- text", 512, out _));

    [Theory]
    [InlineData("a\\n", 6, "a\\n...")]
    [InlineData("a\\n", 5, "a...")]
    [InlineData("ab\\u0007", 10, "ab...")]
    [InlineData("ab\\u0007", 11, "ab\\u0007...")]
    [InlineData("é€😀😀", 9, "é€...")]
    [InlineData("C:\\temp\\x", 8, "C:\\te...")]
    public void The_second_cut_splits_neither_characters_nor_escapes(string beginning, int room, string expected) =>
        Assert.Equal(Header + "- " + expected, Cut(Header + "- " + beginning + new string('x', 40), Header.Length + 2 + room, out _));

    [Theory]
    [InlineData(SyslogForm.Rfc3164, "<14>Nov 20 12:34:56 2001:db8:: shop[4242]: ")]
    [InlineData(SyslogForm.Rfc3164, "<14>Jan  5 12:34:56 host-1 shop: ")]
    [InlineData(SyslogForm.Local, "<14>Nov 20 12:34:56 shop[4242]: ")]
    internal void The_older_forms_keep_their_header(SyslogForm form, string header)
    {
        var cut = Cut(header + new string('x', 900), 300, out _, Layout with { Form = form });

        Assert.Equal(header + new string('x', 297 - header.Length) + "...", cut);
        Assert.Equal(header.TrimEnd(), Cut(header + "xxxxxx", header.Length + 2, out _, Layout with { Form = form }));
        Assert.Equal(header.TrimEnd(), Cut(header + "xxxxxx", header.Length, out _, Layout with { Form = form }));
        Assert.Equal("", Cut(header + "xxxxxx", header.Length - 1, out _, Layout with { Form = form }));
    }

    [Theory]
    [InlineData(2048, 1024)]
    [InlineData(65507, 1180)]
    [InlineData(480, 240)]
    public void The_second_limit_is_half_or_what_every_path_carries(int limit, int second) => Assert.Equal(second, DatagramTruncation.LimitFor(limit));

    [Fact]
    public void Every_record_parses_also_after_the_second_cut()
    {
        var cut = 0;
        Prop.ForAll(Arb.From(HostileCall.AllOptions), Arb.From(HostileCall.All), (configure, call) =>
        {
            using var harness = new SyslogHarness(options =>
            {
                configure(options);
                options.Endpoint = new Uri("udp://127.0.0.1");
            });
            HostileCallTests.Log(call, harness);
            var frame = Assert.Single(harness.TakeFramesAsync().GetAwaiter().GetResult());
            var limit = DatagramTruncation.LimitFor(harness.Options.MaxMessageSize!.Value);
            var room = new byte[limit];
            var length = new DatagramTruncation(harness.Layout).Truncate(frame, limit, room, out var dropped);

            var before = Rfc5424Parser.Parse(frame);
            var after = Rfc5424Parser.Parse(room[..length]);
            cut += dropped > 0 || before.Message != after.Message ? 1 : 0;
            Assert.Equal((before.Pri, before.Time, before.MsgId), (after.Pri, after.Time, after.MsgId));
            Assert.Equal((before.HostName, before.AppName, before.ProcId), (after.HostName, after.AppName, after.ProcId));
            Assert.Equal(CountOf(before), CountOf(after) + dropped);
            Assert.Equal(before.Value("meta", "sequenceId"), after.Value("meta", "sequenceId"));
        }).QuickCheckThrowOnFailureWith(100);
        Assert.True(cut > 10, $"{cut} records cut: too few to mean anything");
    }

    private static int CountOf(ParsedRecord record) => record.Data.Sum(static element => element.Parameters.Count(parameter => element.Id != "log@32473" || parameter.Name != "dropped"));

    private static string Cut(string message, int limit, out int dropped, SyslogLayout? layout = null)
    {
        var room = new byte[limit];
        var length = new DatagramTruncation(layout ?? Layout).Truncate(Encoding.UTF8.GetBytes(message), limit, room, out dropped);
        return Encoding.UTF8.GetString(room, 0, length);
    }
}
