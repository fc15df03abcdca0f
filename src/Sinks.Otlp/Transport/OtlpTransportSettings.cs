namespace AsyncLog;

/// <summary>What the options say about the way to the collector; immutable.</summary>
internal sealed record OtlpTransportSettings
{
    /// <summary>The whole address of requests.</summary>
    public required Uri Address { get; init; }

    public bool IsGrpc { get; init; }

    public bool IsCompressed { get; init; }

    /// <summary>Headers of every request; never printed.</summary>
    public IReadOnlyList<KeyValuePair<string, string>> Headers { get; init; } = [];

    public required string UserAgent { get; init; }

    /// <summary>The limit of one attempt; zero: none.</summary>
    public TimeSpan Timeout { get; init; } = TimeSpan.FromSeconds(10);

    public bool UseProxy { get; init; }

    public TlsClientOptions Tls { get; init; } = new();

    public Backoff Backoff { get; init; } = new(TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(30), HasJitter: true);

    /// <summary>The time from a request's first failure to its last attempt; null: no limit; zero: no second attempt.</summary>
    public TimeSpan? MaxRetryTime { get; init; }

    public bool RetriesUnauthorized { get; init; }

    public int MaxRecords { get; init; } = 512;

    public int MaxRequestBytes { get; init; } = 4_000_000;

    public bool IsSecure => Address.Scheme == Uri.UriSchemeHttps;

    /// <summary>The address as it is told: without credentials.</summary>
    public string Target => Address.GetComponents(UriComponents.SchemeAndServer | UriComponents.Path, UriFormat.UriEscaped);

    /// <summary>What resolved options say.</summary>
    public static OtlpTransportSettings From(AsyncOtlpOptions options)
    {
        return new OtlpTransportSettings
        {
            Address = options.Endpoint!,
            IsGrpc = options.Protocol == OtlpProtocol.Grpc,
            IsCompressed = options.Compression == OtlpCompression.Gzip,
            Headers = [.. options.Headers],
            UserAgent = UserAgentText.Of(options.UserAgentProduct),
            Timeout = options.Timeout,
            UseProxy = options.UseProxy,
            Tls = options.Tls,
            Backoff = new Backoff(options.RetryDelay, options.MaxRetryDelay, HasJitter: true),
            MaxRetryTime = options.MaxRetryTime,
            RetriesUnauthorized = options.RetryUnauthorized,
            MaxRecords = options.MaxExportBatchSize,
            MaxRequestBytes = options.MaxRequestBytes,
        };
    }
}
