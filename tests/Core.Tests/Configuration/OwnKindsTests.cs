using System.Globalization;
using Microsoft.Extensions.Configuration;

namespace AsyncLog.Tests.Configuration;

/// <summary>Options of kinds that sinks describe themselves.</summary>
public sealed class OwnKindsTests
{
    [Fact]
    public void A_value_of_an_own_kind_is_read_and_checked_also_in_code()
    {
        Assert.Equal(new Uri("own://b"), Assert.Single(Read(("Where", "own://b"))).Where);
        Assert.Equal(["Logging:AsyncProbe:Where 'no' is not valid: expected a URI"], Problems(Reader([("Where", "no")])));
        Assert.Equal(["AddAsyncProbe(): Where 'other://d' is not valid: must be own://"], Problems(Reader([], static o => o.Where = new Uri("other://d"))));
        Assert.Equal(["Logging:AsyncProbe:Where 'other://***@d' is not valid: expected a URI"], Problems(Reader([("Where", "other://user:pass/word@d")])));
    }

    [Fact]
    public void An_option_that_is_refused_stops_the_start_and_tells_what_to_use()
    {
        Assert.Equal(
            "Logging:AsyncProbe:MaxRecordSize is not a known option; use Numbers",
            Assert.ThrowsAny<Microsoft.Extensions.Options.OptionsValidationException>(static () => Start("MaxRecordSize")).Message);
        Assert.Null(Record.Exception(static () => Start("MaxRecordSiz")));

        static void Start(string key) => new SinkConfiguration<OwnOptions>(Reader([(key, "1KB")])).ThrowIfInvalid([], [], isStrict: false, static () => []);
    }

    [Fact]
    public void A_map_merges_along_the_layers()
    {
        var instances = Read(("Main", "true"), ("Numbers:a", "1"), ("Numbers:b", "2"), ("Path", "x"), ("Files:child:Numbers:B", "3"), ("Files:child:Numbers:c", "4"));

        Assert.Equal(["a=1", "b=2"], Shown(instances.Single(static options => options.Path == "x")));
        Assert.Equal(["a=1", "b=3", "c=4"], Shown(instances.Single(static options => options.Path != "x")));

        static string[] Shown(OwnOptions options) => [.. options.Numbers.Select(static pair => $"{pair.Key}={pair.Value}").Order(StringComparer.Ordinal)];
    }

    [Fact]
    public void A_map_tells_which_entry_is_wrong()
    {
        Assert.Equal(
            ["Logging:AsyncProbe:Numbers:a 'x' is not valid: expected a number", "Logging:AsyncProbe:Numbers:b '10' is not valid: must be below 10"],
            Problems(Reader([("Numbers:a", "x"), ("Numbers:b", "10")])));
        Assert.Equal(["Logging:AsyncProbe:Numbers '1' is not valid: expected a map of names to values"], Problems(Reader([("Numbers", "1")])));
        Assert.Equal(["Logging:AsyncProbe:Numbers:long 'x' is not valid: must be one letter"], Problems(Reader([("Numbers:long", "x")])));
        Assert.Equal(["AddAsyncProbe(): Numbers 'a=11' is not valid: a: must be below 10"], Problems(Reader([], static o => o.Numbers['a'] = 11)));
    }

    [Fact]
    public void Tls_options_are_for_tls_only_and_pins_are_fingerprints()
    {
        Assert.Equal(["Logging:AsyncProbe:Tls:CaFile 'ca.pem' is not valid: only with own://tls"], Problems(Reader([("Tls:CaFile", "ca.pem")])));
        Assert.Equal(
            ["Logging:AsyncProbe:Tls:PinnedSha256 'abcd' is not valid: expected SHA-256 fingerprints of 64 hexadecimal digits, separated by commas"],
            Problems(Reader([("Where", "own://tls"), ("Tls:PinnedSha256", "abcd")])));
        Assert.Equal(
            ["Logging:AsyncProbe:Tls:ClientKeyFile 'key.pem' is not valid: needs Tls:ClientCertificateFile"],
            Problems(Reader([("Where", "own://tls"), ("Tls:ClientKeyFile", "key.pem")])));
        var pins = string.Join(", ", new string('a', 64), string.Join(':', Enumerable.Repeat("0F", 32)));
        var options = Assert.Single(Read(("Where", "own://tls"), ("Tls:PinnedSha256", pins), ("Tls:CheckRevocation", "true"), ("Tls:ServerName", "s")));
        Assert.Equal((pins, true, "s"), (options.Tls.PinnedSha256, options.Tls.CheckRevocation, options.Tls.ServerName));
    }

    private static OwnOptions[] Read(params (string Key, string? Value)[] values)
    {
        var reading = Reader(values).Read();
        Assert.Empty(reading.AllProblems.Select(static problem => problem.ToString()));
        return [.. reading.Instances.Select(static instance => instance.Settings!.Options)];
    }

    private static string[] Problems(SettingsReader<OwnOptions> reader) => [.. reader.Read().AllProblems.Select(static problem => problem.ToString())];

    private static SettingsReader<OwnOptions> Reader((string Key, string? Value)[] values, Action<OwnOptions>? code = null) => new(
        new TestDefinition<OwnOptions>("own", static (_, _) => throw new NotSupportedException())
        {
            Children = "Files",
            Main = false,
            Clear = static options => options.Path = null,
            Rows = Describe,
        },
        new OptionSources<OwnOptions>
        {
            Section = Probe.Section(values),
            FactoryLevels = Probe.Section(),
            Configure = code is null ? [] : [new Microsoft.Extensions.Options.ConfigureNamedOptions<OwnOptions>("", code)],
            Application = Probe.Application,
            Formats = new SinkFormats(["Text"], [], "Text"),
            Variable = static _ => null,
        },
        Probe.Names);

    private static void Describe(OptionsTable<OwnOptions> table) => table
        .Forbid("MaxRecordSize", "use Numbers")
        .Add("Path", static o => o.Path, static (o, v) => o.Path = v, OptionKind.OptionalText, OptionReload.Rebuild)
        .Add("Where", static o => o.Where, static (o, v) => o.Where = v, new OptionKind<Uri?>(static text => Uri.TryCreate(text, UriKind.Absolute, out var uri) ? new ParseResult<Uri?>(uri) : ParseResult<Uri?>.Invalid("expected a URI"), static uri => uri?.OriginalString, static uri => uri is { Scheme: not "own" } ? "must be own://" : null), OptionReload.Rebuild)
        .AddMap("Numbers", static o => o.Numbers, static text => text.Length == 1 ? new ParseResult<char>(char.ToLowerInvariant(text[0])) : ParseResult<char>.Invalid("must be one letter"), static text => int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var number) ? new(number) : ParseResult<int>.Invalid("expected a number"), static number => number < 10 ? null : "must be below 10", OptionReload.Live)
        .AddTls(static o => o.Tls, "Where", static o => o.Where?.Host == "tls", "only with own://tls");

    private sealed class OwnOptions : SinkOptions
    {
        public string? Path { get; set; }

        public Uri? Where { get; set; }

        public IDictionary<char, int> Numbers { get; } = new Dictionary<char, int>();

        public TlsClientOptions Tls { get; } = new();
    }
}
