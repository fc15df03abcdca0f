namespace AsyncLog.Tests.Configuration;

/// <summary>The names of all options, pinned: renaming one silently would turn off what it turned on.</summary>
public sealed class KnownKeysTests
{
    private const string Pin = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

    // Of every option a value that differs from its default, so that taking it can be seen.
    private static readonly (string Key, string Value, object? Expected, Func<AsyncOtlpLoggerOptions, object?> Get)[] Options =
    [
        ("Endpoint", "https://h:1", "h", static o => o.Endpoint?.Host),
        ("Protocol", "Grpc", OtlpProtocol.Grpc, static o => o.Protocol),
        ("Headers:key", "value", "value", static o => ValueOf(o.Headers, "key")),
        ("Timeout", "3s", TimeSpan.FromSeconds(3), static o => o.Timeout),
        ("Compression", "Gzip", CompressionMethod.Gzip, static o => o.Compression),
        ("ScheduledDelay", "2s", TimeSpan.FromSeconds(2), static o => o.ScheduledDelay),
        ("MaxRequestSize", "1MB", 1 << 20, static o => o.MaxRequestSize),
        ("RetryDelay", "4s", TimeSpan.FromSeconds(4), static o => o.RetryDelay),
        ("MaxRetryTime", "6s", TimeSpan.FromSeconds(6), static o => o.MaxRetryTime),
        ("RetryUnauthorized", "false", false, static o => o.RetryUnauthorized),
        ("ServiceName", "shop", "shop", static o => o.ServiceName),
        ("ResourceAttributes:site", "a", "a", static o => ValueOf(o.ResourceAttributes, "site")),
        ("IncludeFormattedMessage", "false", false, static o => o.IncludeFormattedMessage),
        ("IncludeTemplate", "false", false, static o => o.IncludeTemplate),
        ("AttributeCountLimit", "7", 7, static o => o.AttributeCountLimit),
        ("AttributeValueLengthLimit", "8", 8, static o => o.AttributeValueLengthLimit),
        ("UseProxy", "true", true, static o => o.UseProxy),
        ("Tls:CaFile", "ca", "ca", static o => o.Tls.CaFile),
        ("Tls:ClientCertificateFile", "c", "c", static o => o.Tls.ClientCertificateFile),
        ("Tls:ClientKeyFile", "k", "k", static o => o.Tls.ClientKeyFile),
        ("Tls:ClientKeyPassword", "w", "w", static o => o.Tls.ClientKeyPassword),
        ("Tls:ServerName", "n", "n", static o => o.Tls.ServerName),
        ("Tls:PinnedSha256", Pin, Pin, static o => o.Tls.PinnedSha256),
        ("Tls:CheckRevocation", "true", true, static o => o.Tls.CheckRevocation),
    ];

    [Fact]
    public void Every_option_is_known_by_its_name_and_applied()
    {
        using var provider = OtlpProvider.Start(Options.Select(static option => ("Logging:AsyncOtlp:Collectors:known:" + option.Key, (string?)option.Value)));

        Assert.Empty(StandardError.LinesWith("Collectors:known:"));
        var options = provider.Options["otlp/known"];
        var defaults = new AsyncOtlpLoggerOptions();
        foreach (var (key, _, expected, get) in Options)
        {
            Assert.NotEqual((key, expected), (key, get(defaults)));
            Assert.Equal((key, expected), (key, get(options)));
        }
    }

    [Fact]
    public void Every_property_of_the_options_is_in_the_list()
    {
        string[] codeOnly = ["DangerousAcceptAnyServerCertificate"];
        var known = Options.SelectMany(static option => option.Key.Split(':'));

        var properties = new[] { typeof(AsyncOtlpLoggerOptions), typeof(TlsClientOptions) }
            .SelectMany(static type => type.GetProperties().Where(property => property.DeclaringType == type)).Select(static property => property.Name);
        Assert.Empty(properties.Except(known).Except(codeOnly));
    }

    private static string? ValueOf(IDictionary<string, string> map, string key) => map.TryGetValue(key, out var value) ? value : null;
}
