namespace AsyncLog;

/// <summary>The rows of the known-key table that only the OTLP sink has.</summary>
internal static class OtlpOptionRows
{
    private const int MostRecords = 100_000;
    private const int LeastRequest = 64 << 10;
    private const int MostRequest = 64 << 20;
    private static readonly TimeSpan Tick = new(1);

    public static void AddTo(SinkOptionsTable<AsyncOtlpOptions> table)
    {
        table.Exclude(nameof(SinkOptions.Format)).Exclude(nameof(SinkOptions.Template)).Exclude(nameof(SinkOptions.TimestampFormat))
            .Exclude(nameof(SinkOptions.UseUtcTimestamp));
        table.Check(nameof(SinkOptions.Properties), static o => o.Properties.Count == 0 ? null : "is not possible with OTLP: use ResourceAttributes");
        AddDestination(table);
        AddRequests(table);
        AddRecords(table);
        AddResource(table);
    }

    private static void AddDestination(SinkOptionsTable<AsyncOtlpOptions> table) => table
        .Value("Endpoint", static o => o.Endpoint, static (o, v) => o.Endpoint = v, OptionReload.Rebuild, OtlpEndpoint.Parse, static uri => uri?.OriginalString, OtlpEndpoint.Rule)
        .Enum("Protocol", static o => o.Protocol, static (o, v) => o.Protocol = v, OptionReload.Rebuild)
        .Map("Headers", static o => o.Headers, OptionReload.Rebuild, ParseHeaderName, static text => new Parsed<string>(text), OtlpHeaders.ValueRule)
        .Enum("Compression", static o => o.Compression, static (o, v) => o.Compression = v, OptionReload.Live)
        .Switch("UseProxy", static o => o.UseProxy, static (o, v) => o.UseProxy = v, OptionReload.Rebuild)
        .OptionalText("UserAgentProduct", static o => o.UserAgentProduct, static (o, v) => o.UserAgentProduct = v, OptionReload.Rebuild)
        .Check("UserAgentProduct", static o => OtlpHeaders.ProductRule(o.UserAgentProduct))
        .Tls(static o => o.Tls, "Endpoint", OtlpEndpoint.IsTls, "only with https://");

    private static void AddRequests(SinkOptionsTable<AsyncOtlpOptions> table) => table
        .Time("Timeout", static o => o.Timeout, static (o, v) => o.Timeout = v, OptionReload.Live, max: TimeSpan.FromDays(1))
        .Integer("MaxExportBatchSize", static o => o.MaxExportBatchSize, static (o, v) => o.MaxExportBatchSize = v, OptionReload.Live, 1, MostRecords)
        .Time("ScheduledDelay", static o => o.ScheduledDelay, static (o, v) => o.ScheduledDelay = v, OptionReload.Live, max: TimeSpan.FromMinutes(1))
        .Size("MaxRequestBytes", static o => o.MaxRequestBytes, static (o, v) => o.MaxRequestBytes = v, OptionReload.Live, LeastRequest, MostRequest)
        .Check("MaxRequestBytes", static o => o.MaxRequestBytes / 2 < o.MaxRecordSize ? "must be at least 2 x MaxRecordSize" : null)
        .Time("RetryDelay", static o => o.RetryDelay, static (o, v) => o.RetryDelay = v, OptionReload.Live, Tick)
        .Time("MaxRetryDelay", static o => o.MaxRetryDelay, static (o, v) => o.MaxRetryDelay = v, OptionReload.Live, Tick, TimeSpan.FromDays(1))
        .Check("RetryDelay", static o => o.RetryDelay > o.MaxRetryDelay ? "must not be more than MaxRetryDelay" : null)
        .Time("MaxRetryTime", static o => o.MaxRetryTime, static (o, v) => o.MaxRetryTime = v, OptionReload.Live)
        .Switch("RetryUnauthorized", static o => o.RetryUnauthorized, static (o, v) => o.RetryUnauthorized = v, OptionReload.Live);

    private static void AddRecords(SinkOptionsTable<AsyncOtlpOptions> table) => table
        .Switch("IncludeFormattedMessage", static o => o.IncludeFormattedMessage, static (o, v) => o.IncludeFormattedMessage = v, OptionReload.Live)
        .Switch("IncludeTemplate", static o => o.IncludeTemplate, static (o, v) => o.IncludeTemplate = v, OptionReload.Live)
        .Integer("AttributeCountLimit", static o => o.AttributeCountLimit, static (o, v) => o.AttributeCountLimit = v, OptionReload.Live, min: 0)
        .Integer("AttributeValueLengthLimit", static o => o.AttributeValueLengthLimit, static (o, v) => o.AttributeValueLengthLimit = v, OptionReload.Live, min: 0);

    private static void AddResource(SinkOptionsTable<AsyncOtlpOptions> table) => table
        .OptionalText("ServiceName", static o => o.ServiceName, static (o, v) => o.ServiceName = v, OptionReload.Rebuild)
        .Map("ResourceAttributes", static o => o.ResourceAttributes, OptionReload.Rebuild, ParseAttributeName, static text => new Parsed<string>(text));

    private static Parsed<string> ParseHeaderName(string text) => OtlpHeaders.NameRule(text) is { } rule ? Parsed<string>.Invalid(rule) : new(text);

    private static Parsed<string> ParseAttributeName(string text) => text.Length == 0 ? Parsed<string>.Invalid("an attribute needs a name") : new(text);
}
