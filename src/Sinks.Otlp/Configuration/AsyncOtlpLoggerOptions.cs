using OpenTelemetry.Resources;

namespace AsyncLog;

/// <summary>Options of one OpenTelemetry collector, configuration section <c>Logging:AsyncOtlp</c> or one of its <c>Collectors</c>.</summary>
/// <remarks>The environment variables of the OpenTelemetry specification (<c>OTEL_EXPORTER_OTLP_…</c>, <c>OTEL_BLRP_…</c>, <c>OTEL_SERVICE_NAME</c>,
/// <c>OTEL_RESOURCE_ATTRIBUTES</c>, attribute limits) also apply. The section and code override them. Timestamps are always UTC.</remarks>
public sealed class AsyncOtlpLoggerOptions : SinkOptions
{
    /// <summary>The largest delay before another attempt, unless the server requests more.</summary>
    internal static readonly TimeSpan LongestRetryDelay = TimeSpan.FromSeconds(30);

    /// <summary>Sets the defaults that differ from other sinks: timestamps are UTC.</summary>
    public AsyncOtlpLoggerOptions() => UseUtcTimestamp = true;

    /// <summary>The collector, <c>http</c> or <c>https</c>. With HTTP, AsyncLog appends <c>/v1/logs</c> to an endpoint without a path, and uses one with a path unchanged.
    /// gRPC has its own path.</summary>
    /// <value>Default null: <c>OTEL_EXPORTER_OTLP_LOGS_ENDPOINT</c>, <c>OTEL_EXPORTER_OTLP_ENDPOINT</c>, else <c>http://localhost:4318</c>, or with gRPC
    /// <c>http://localhost:4317</c>.</value>
    public Uri? Endpoint { get; set; }

    /// <summary>The transport protocol of the requests.</summary>
    /// <value>Default <see cref="OtlpProtocol.HttpProtobuf"/>, or <c>OTEL_EXPORTER_OTLP_[LOGS_]PROTOCOL</c>.</value>
    public OtlpProtocol Protocol { get; set; }

    /// <summary>The headers of every request, for keys and tenants. AsyncLog never prints them.</summary>
    /// <value>Default empty, or <c>OTEL_EXPORTER_OTLP_[LOGS_]HEADERS</c>; AsyncLog adds the values of this option, which override the others.</value>
    public IDictionary<string, string> Headers { get; } = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase);

    /// <summary>The time limit for one request.</summary>
    /// <value>Default 10 s, or <c>OTEL_EXPORTER_OTLP_[LOGS_]TIMEOUT</c>; at most one day; 0: none.</value>
    public TimeSpan Timeout { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>The compression of the requests.</summary>
    /// <value>Default <see cref="CompressionMethod.None"/>, or <c>OTEL_EXPORTER_OTLP_[LOGS_]COMPRESSION</c>.</value>
    public CompressionMethod Compression { get; set; }

    /// <summary>The longest time that AsyncLog waits to fill a request.</summary>
    /// <value>Default 1 s, or <c>OTEL_BLRP_SCHEDULE_DELAY</c>; 0 to 1 minute.</value>
    public TimeSpan ScheduledDelay { get; set; } = TimeSpan.FromSeconds(1);

    /// <summary>The maximum number of bytes of a request before compression. AsyncLog splits larger batches.</summary>
    /// <value>Default 4,000,000: many servers refuse more than 4 MiB; 64 KB to 64 MB, at least twice <see cref="SinkOptions.MaxRecordSize"/>.</value>
    public int MaxRequestSize { get; set; } = 4_000_000;

    /// <summary>The first delay before another attempt; it doubles up to 30 s, with full jitter. If the server requests a longer delay, that one applies,
    /// at most 10 minutes, plus a random part of up to half of it.</summary>
    /// <value>Default 1 s; more than 0, at most 30 s.</value>
    public TimeSpan RetryDelay { get; set; } = TimeSpan.FromSeconds(1);

    /// <summary>How long AsyncLog retries a request after its first failure. Then it drops the records as <c>retry_exhausted</c>.</summary>
    /// <value>Default null: until the request succeeds; the limits of the queue apply in a long outage. 0: no second attempt.</value>
    public TimeSpan? MaxRetryTime { get; set; }

    /// <summary>True if AsyncLog retries after 401 and 403 (gRPC 16 and 7), so records wait until the credential is corrected.</summary>
    /// <value>Default true; false: such a refusal is final, and AsyncLog drops the records as <c>sink_permanent</c>.</value>
    public bool RetryUnauthorized { get; set; } = true;

    /// <summary>The resource attribute <c>service.name</c>.</summary>
    /// <value>Default null: <c>service.name</c> of <see cref="ResourceAttributes"/>, <c>OTEL_SERVICE_NAME</c>, that of <c>OTEL_RESOURCE_ATTRIBUTES</c>,
    /// the host's application name, else <c>unknown_service:</c> and the process name.</value>
    public string? ServiceName { get; set; }

    /// <summary>More resource attributes.</summary>
    /// <value>Default empty. They override <c>OTEL_RESOURCE_ATTRIBUTES</c>.</value>
    public IDictionary<string, string> ResourceAttributes { get; } = new Dictionary<string, string>(StringComparer.Ordinal);

    /// <summary>True if the body is the formatted message.</summary>
    /// <value>Default true; false: the message template, if there is one.</value>
    public bool IncludeFormattedMessage { get; set; } = true;

    /// <summary>True if the message template is the attribute <c>{OriginalFormat}</c>, unless it is the body: see <see cref="IncludeFormattedMessage"/>.</summary>
    /// <value>Default true.</value>
    public bool IncludeTemplate { get; set; } = true;

    /// <summary>The maximum number of attributes of a record. <c>dropped_attributes_count</c> contains the number of omitted ones.</summary>
    /// <value>Default 128, or <c>OTEL_LOGRECORD_ATTRIBUTE_COUNT_LIMIT</c>, <c>OTEL_ATTRIBUTE_COUNT_LIMIT</c>; at least 0; null: no limit.</value>
    public int? AttributeCountLimit { get; set; } = 128;

    /// <summary>The maximum number of UTF-16 units of each string in the value of an attribute. It does not limit the body.</summary>
    /// <value>Default null: no limit, or <c>OTEL_LOGRECORD_ATTRIBUTE_VALUE_LENGTH_LIMIT</c>, <c>OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT</c>; at least 0.</value>
    public int? AttributeValueLengthLimit { get; set; }

    /// <summary>True if AsyncLog uses the proxy from the environment.</summary>
    /// <value>Default false: no proxy.</value>
    public bool UseProxy { get; set; }

    /// <summary>Server verification and client certificate; only with <c>https</c>.</summary>
    public TlsClientOptions Tls { get; } = new();

    /// <summary>The largest delay before another attempt, unless the server requests more. Tests set it.</summary>
    internal TimeSpan MaxRetryDelay { get; set; } = LongestRetryDelay;

    /// <summary>True if requests are gRPC calls.</summary>
    internal bool IsGrpc => Protocol == OtlpProtocol.Grpc;

    /// <summary>The protocol's name in the OpenTelemetry specification.</summary>
    internal string ProtocolName => IsGrpc ? "grpc" : "http/protobuf";

    /// <summary>True if requests are encrypted; of resolved options.</summary>
    internal bool IsSecure => Endpoint!.Scheme == Uri.UriSchemeHttps;

    /// <summary>True if a request has a limit.</summary>
    internal bool HasTimeout => Timeout > TimeSpan.Zero;

    /// <summary>True if the HTTP handler encrypts when it finds a proxy; of resolved options.</summary>
    internal bool EncryptsInTunnel => UseProxy && IsSecure;

    /// <summary>True if AsyncLog does not verify the certificate of the server; of resolved options.</summary>
    internal bool AcceptsAnyCertificate => Tls.DangerousAcceptAnyServerCertificate && IsSecure;

    /// <summary>The address in reports, without credentials; of resolved options.</summary>
    internal string Target => Endpoint!.GetComponents(UriComponents.SchemeAndServer | UriComponents.Path, UriFormat.UriEscaped);

    /// <summary>The arguments of <see cref="ConfigureResource"/>, in that order.</summary>
    internal List<Action<ResourceBuilder>> ResourceConfigurations { get; } = [];

    /// <summary>The values of environment variables without an option of their own, and notices for the operator.</summary>
    internal OtlpEnvironmentValues Variables { get; set; } = new();

    /// <summary>Adds resource attributes and detectors in code. Runs when the instance is built, after all other attributes; its attributes override the others.</summary>
    /// <param name="configure">Changes the builder.</param>
    /// <returns>These options.</returns>
    public AsyncOtlpLoggerOptions ConfigureResource(Action<ResourceBuilder> configure)
    {
        ArgumentNullException.ThrowIfNull(configure);
        ResourceConfigurations.Add(configure);
        return this;
    }
}

/// <summary>The transport protocol of the requests.</summary>
public enum OtlpProtocol
{
    /// <summary>OTLP/HTTP with binary protobuf; usually port 4318.</summary>
    HttpProtobuf,

    /// <summary>OTLP/gRPC; usually port 4317.</summary>
    Grpc,
}
