using OpenTelemetry.Resources;

namespace AsyncLog;

/// <summary>Options of one OpenTelemetry collector, configuration section <c>Logging:AsyncOtlp</c> or one of its <c>Collectors</c>.</summary>
/// <remarks>The environment variables of the OpenTelemetry specification (<c>OTEL_EXPORTER_OTLP_…</c>, <c>OTEL_BLRP_…</c>, <c>OTEL_SERVICE_NAME</c>,
/// <c>OTEL_RESOURCE_ATTRIBUTES</c>, attribute limits) are read too and are weaker than section and code. Time stamps are UTC always.</remarks>
public sealed class AsyncOtlpOptions : SinkOptions
{
    /// <summary>Sets the defaults that differ from other sinks: time stamps are UTC.</summary>
    public AsyncOtlpOptions() => UseUtcTimestamp = true;

    /// <summary>Endpoint, <c>http</c> or <c>https</c>. With HTTP and no path <c>/v1/logs</c> is added; with a path it is used as it is.
    /// gRPC has its own path.</summary>
    /// <value>Default null: <c>OTEL_EXPORTER_OTLP_LOGS_ENDPOINT</c>, <c>OTEL_EXPORTER_OTLP_ENDPOINT</c>, else <c>http://localhost:4318</c>, with gRPC
    /// <c>http://localhost:4317</c>.</value>
    public Uri? Endpoint { get; set; }

    /// <summary>Transport protocol of the requests.</summary>
    /// <value>Default <see cref="OtlpProtocol.HttpProtobuf"/>, or <c>OTEL_EXPORTER_OTLP_[LOGS_]PROTOCOL</c>.</value>
    public OtlpProtocol Protocol { get; set; }

    /// <summary>Headers of every request, for keys and tenants. Never printed.</summary>
    /// <value>Default empty, or those of <c>OTEL_EXPORTER_OTLP_[LOGS_]HEADERS</c>; values set here are added, and win.</value>
    public IDictionary<string, string> Headers { get; } = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase);

    /// <summary>The limit for one request.</summary>
    /// <value>Default 10 s, or <c>OTEL_EXPORTER_OTLP_[LOGS_]TIMEOUT</c>; at most one day; 0: none.</value>
    public TimeSpan Timeout { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>Compression of the requests.</summary>
    /// <value>Default <see cref="OtlpCompression.None"/>, or <c>OTEL_EXPORTER_OTLP_[LOGS_]COMPRESSION</c>.</value>
    public OtlpCompression Compression { get; set; }

    /// <summary>The most records in a request, for receivers that limit them.</summary>
    /// <value>Default null, or <c>OTEL_BLRP_MAX_EXPORT_BATCH_SIZE</c>: under load a request is filled with 1 MB of records, at most a tenth of
    /// <see cref="SinkOptions.MaxQueueMemory"/>, within <see cref="MaxRequestBytes"/>. 1 to 100,000, at most <see cref="SinkOptions.MaxQueueLength"/>; requests of
    /// more than 2,048 records take up to 4 MB.</value>
    public int? MaxExportBatchSize { get; set; }

    /// <summary>The longest wait to fill a request.</summary>
    /// <value>Default 1 s, or <c>OTEL_BLRP_SCHEDULE_DELAY</c>; 0 to 1 minute.</value>
    public TimeSpan ScheduledDelay { get; set; } = TimeSpan.FromSeconds(1);

    /// <summary>The most bytes of a request before compression; larger batches are split.</summary>
    /// <value>Default 4,000,000: deployed servers refuse above 4 MiB for good. 64 KB to 64 MB, at least twice <see cref="SinkOptions.MaxRecordSize"/>.</value>
    public int MaxRequestBytes { get; set; } = 4_000_000;

    /// <summary>The first delay before another attempt; it doubles, with full jitter. A longer delay that the server requests is kept.</summary>
    /// <value>Default 1 s; more than 0, at most <see cref="MaxRetryDelay"/>.</value>
    public TimeSpan RetryDelay { get; set; } = TimeSpan.FromSeconds(1);

    /// <summary>The largest delay before another attempt, unless the server requests more.</summary>
    /// <value>Default 30 s; at most one day.</value>
    public TimeSpan MaxRetryDelay { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>Time after its first failure during which a request is retried; then its records are dropped as <c>retry_exhausted</c>.</summary>
    /// <value>Default null: it is tried until it succeeds, and the bounds of the queue limit a long outage. 0: no second attempt.</value>
    public TimeSpan? MaxRetryTime { get; set; }

    /// <summary>True if 401 and 403 are tried again, for credentials that are exchanged while the application runs.</summary>
    /// <value>Default false.</value>
    public bool RetryUnauthorized { get; set; }

    /// <summary>The resource attribute <c>service.name</c>.</summary>
    /// <value>Default null: <c>service.name</c> of <see cref="ResourceAttributes"/>, <c>OTEL_SERVICE_NAME</c>, that of <c>OTEL_RESOURCE_ATTRIBUTES</c>,
    /// the host's application name, else <c>unknown_service:</c> and the process name.</value>
    public string? ServiceName { get; set; }

    /// <summary>Further resource attributes.</summary>
    /// <value>Default empty; they win over <c>OTEL_RESOURCE_ATTRIBUTES</c>.</value>
    public IDictionary<string, string> ResourceAttributes { get; } = new Dictionary<string, string>(StringComparer.Ordinal);

    /// <summary>True if the body is the formatted message.</summary>
    /// <value>Default true; false: the message template, where there is one.</value>
    public bool IncludeFormattedMessage { get; set; } = true;

    /// <summary>True if the message template is the attribute <c>{OriginalFormat}</c>, unless it is the body: see <see cref="IncludeFormattedMessage"/>.</summary>
    /// <value>Default true.</value>
    public bool IncludeTemplate { get; set; } = true;

    /// <summary>The most attributes of a record; those left out are counted in <c>dropped_attributes_count</c>.</summary>
    /// <value>Default 128, or <c>OTEL_LOGRECORD_ATTRIBUTE_COUNT_LIMIT</c>, <c>OTEL_ATTRIBUTE_COUNT_LIMIT</c>; at least 0; null: no limit.</value>
    public int? AttributeCountLimit { get; set; } = 128;

    /// <summary>The most UTF-16 units of every string inside an attribute's value; the body has no limit of its own.</summary>
    /// <value>Default null: no limit, or <c>OTEL_LOGRECORD_ATTRIBUTE_VALUE_LENGTH_LIMIT</c>, <c>OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT</c>; at least 0.</value>
    public int? AttributeValueLengthLimit { get; set; }

    /// <summary>True if the proxy is taken from the environment.</summary>
    /// <value>Default false: no proxy.</value>
    public bool UseProxy { get; set; }

    /// <summary>A product identifier in front of the sink's own in <c>User-Agent</c>: <c>Shop/1.2</c>.</summary>
    /// <value>Default null.</value>
    public string? UserAgentProduct { get; set; }

    /// <summary>Server verification and client certificate; only with <c>https</c>.</summary>
    public TlsClientOptions Tls { get; } = new();

    /// <summary>True if requests are gRPC calls.</summary>
    internal bool IsGrpc => Protocol == OtlpProtocol.Grpc;

    /// <summary>The protocol's name in the OpenTelemetry specification.</summary>
    internal string ProtocolName => IsGrpc ? "grpc" : "http/protobuf";

    /// <summary>True if requests are encrypted; of resolved options.</summary>
    internal bool IsSecure => Endpoint!.Scheme == Uri.UriSchemeHttps;

    /// <summary>True if a request has a limit.</summary>
    internal bool HasTimeout => Timeout > TimeSpan.Zero;

    /// <summary>True if the HTTP handler encrypts by itself where it finds a proxy; of resolved options.</summary>
    internal bool EncryptsInTunnel => UseProxy && IsSecure;

    /// <summary>True if the server's certificate is not verified; of resolved options.</summary>
    internal bool AcceptsAnyCertificate => Tls.DangerousAcceptAnyServerCertificate && IsSecure;

    /// <summary>The address in reports, without credentials; of resolved options.</summary>
    internal string Target => Endpoint!.GetComponents(UriComponents.SchemeAndServer | UriComponents.Path, UriFormat.UriEscaped);

    /// <summary>The arguments of <see cref="ConfigureResource"/>, in that order.</summary>
    internal List<Action<ResourceBuilder>> ResourceConfigurations { get; } = [];

    /// <summary>The values of environment variables without an option of their own, and notices for the operator.</summary>
    internal OtlpEnvironmentValues Variables { get; set; } = new();

    /// <summary>Adds resource attributes and detectors in code. Runs when the instance is built, after all other attributes; its attributes win.</summary>
    /// <param name="configure">Changes the builder.</param>
    /// <returns>These options.</returns>
    public AsyncOtlpOptions ConfigureResource(Action<ResourceBuilder> configure)
    {
        ArgumentNullException.ThrowIfNull(configure);
        ResourceConfigurations.Add(configure);
        return this;
    }
}

/// <summary>Transport protocol of the requests.</summary>
public enum OtlpProtocol
{
    /// <summary>OTLP/HTTP with binary protobuf; port 4318 by custom.</summary>
    HttpProtobuf,

    /// <summary>OTLP/gRPC; port 4317 by custom.</summary>
    Grpc,
}

/// <summary>Compression of the requests.</summary>
public enum OtlpCompression
{
    /// <summary>Not at all.</summary>
    None,

    /// <summary>With gzip.</summary>
    Gzip,
}
