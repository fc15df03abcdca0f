namespace AsyncLog;

/// <summary>The rows of the known-key table that only the OTLP sink has.</summary>
internal static class OtlpOptionRows
{
    /// <summary>The smallest <see cref="AsyncOtlpLoggerOptions.MaxRequestSize"/>.</summary>
    public const int MinRequest = 64 << 10;

    private const int MaxRequest = 64 << 20;
    private static readonly TimeSpan Tick = new(1);

    public static void AddTo(OptionsTable<AsyncOtlpLoggerOptions> table)
    {
        table.Exclude(nameof(SinkOptions.Format)).Exclude(nameof(SinkOptions.Template)).Exclude(nameof(SinkOptions.TimestampFormat))
            .Exclude(nameof(SinkOptions.UseUtcTimestamp));
        table.Check(nameof(SinkOptions.Properties), static o => o.Properties.Count == 0 ? null : "is not possible with OTLP: use ResourceAttributes");
        AddDestination(table);
        AddRequests(table);
        AddRecords(table);
        AddResource(table);
    }

    private static void AddDestination(OptionsTable<AsyncOtlpLoggerOptions> table) => table
        // OpenTelemetry: Endpoint.
        .Add("Endpoint", static o => o.Endpoint, static (o, v) => o.Endpoint = v, new OptionKind<Uri?>(OtlpEndpoint.Parse, static uri => uri?.OriginalString, OtlpEndpoint.Rule), OptionReload.Rebuild)
        // OpenTelemetry: Protocol.
        .Add("Protocol", static o => o.Protocol, static (o, v) => o.Protocol = v, OptionKind.Choice<OtlpProtocol>(), OptionReload.Rebuild)
        // OpenTelemetry: Headers.
        .AddMap("Headers", static o => o.Headers, ParseHeaderName, static text => new ParseResult<string>(text), OtlpHeaders.ValueRule, OptionReload.Rebuild)
        .Credential("Headers")
        // OpenTelemetry: OTEL_EXPORTER_OTLP_COMPRESSION.
        .Add("Compression", static o => o.Compression, static (o, v) => o.Compression = v, OptionKind.Choice<CompressionMethod>(), OptionReload.Live)
        // .NET: SocketsHttpHandler.UseProxy.
        .Add("UseProxy", static o => o.UseProxy, static (o, v) => o.UseProxy = v, OptionKind.Boolean, OptionReload.Rebuild)
        .AddTls(static o => o.Tls, "Endpoint", OtlpEndpoint.IsTls, "only with https://");

    private static void AddRequests(OptionsTable<AsyncOtlpLoggerOptions> table) => table
        // OpenTelemetry: TimeoutMilliseconds.
        .Add("Timeout", static o => o.Timeout, static (o, v) => o.Timeout = v, OptionKind.Time(max: TimeSpan.FromDays(1)), OptionReload.Live)
        // OpenTelemetry: ScheduledDelayMilliseconds.
        .Add("ScheduledDelay", static o => o.ScheduledDelay, static (o, v) => o.ScheduledDelay = v, OptionKind.Time(max: TimeSpan.FromMinutes(1)), OptionReload.Live)
        // Two deployments differ: servers accept different sizes.
        .Add("MaxRequestSize", static o => o.MaxRequestSize, static (o, v) => o.MaxRequestSize = v, OptionKind.SmallSize(MinRequest, MaxRequest), OptionReload.Live)
        .Check("MaxRequestSize", static o => o.MaxRequestSize / 2 < o.MaxRecordSize ? "must be at least 2 x MaxRecordSize" : null)
        // OpenTelemetry Collector: initial_interval.
        .Add("RetryDelay", static o => o.RetryDelay, static (o, v) => o.RetryDelay = v, OptionKind.Time(Tick, AsyncOtlpLoggerOptions.LongestRetryDelay), OptionReload.Live)
        // OpenTelemetry Collector: max_elapsed_time.
        .Add("MaxRetryTime", static o => o.MaxRetryTime, static (o, v) => o.MaxRetryTime = v, OptionKind.Time().OrNull(), OptionReload.Live)
        // Two deployments differ: a firewall may answer 403 to the content of a record.
        .Add("RetryUnauthorized", static o => o.RetryUnauthorized, static (o, v) => o.RetryUnauthorized = v, OptionKind.Boolean, OptionReload.Live);

    private static void AddRecords(OptionsTable<AsyncOtlpLoggerOptions> table) => table
        // OpenTelemetry: IncludeFormattedMessage.
        .Add("IncludeFormattedMessage", static o => o.IncludeFormattedMessage, static (o, v) => o.IncludeFormattedMessage = v, OptionKind.Boolean, OptionReload.Live)
        // Serilog: IncludedData.MessageTemplateTextAttribute.
        .Add("IncludeTemplate", static o => o.IncludeTemplate, static (o, v) => o.IncludeTemplate = v, OptionKind.Boolean, OptionReload.Live)
        // OpenTelemetry: OTEL_LOGRECORD_ATTRIBUTE_COUNT_LIMIT.
        .Add("AttributeCountLimit", static o => o.AttributeCountLimit, static (o, v) => o.AttributeCountLimit = v, OptionKind.Integer(min: 0).OrNull(nullMeaning: "no limit"), OptionReload.Live)
        // OpenTelemetry: OTEL_LOGRECORD_ATTRIBUTE_VALUE_LENGTH_LIMIT.
        .Add("AttributeValueLengthLimit", static o => o.AttributeValueLengthLimit, static (o, v) => o.AttributeValueLengthLimit = v, OptionKind.Integer(min: 0).OrNull(nullMeaning: "no limit"), OptionReload.Live);

    private static void AddResource(OptionsTable<AsyncOtlpLoggerOptions> table) => table
        // OpenTelemetry: OTEL_SERVICE_NAME.
        .Add("ServiceName", static o => o.ServiceName, static (o, v) => o.ServiceName = v, OptionKind.OptionalText, OptionReload.Rebuild)
        // OpenTelemetry: OTEL_RESOURCE_ATTRIBUTES.
        .AddMap("ResourceAttributes", static o => o.ResourceAttributes, ParseAttributeName, static text => new ParseResult<string>(text), null, OptionReload.Rebuild);

    private static ParseResult<string> ParseHeaderName(string text) => OtlpHeaders.NameRule(text) is { } rule ? ParseResult<string>.Invalid(rule) : new(text);

    private static ParseResult<string> ParseAttributeName(string text) => text.Length == 0 ? ParseResult<string>.Invalid("an attribute needs a name") : new(text);
}
