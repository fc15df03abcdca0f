namespace AsyncLog;

/// <summary>Makes the sink of one instance.</summary>
internal static class OtlpSinkFactory
{
    private const int HttpPort = 4318;
    private const int GrpcPort = 4317;

    /// <param name="options">Resolved options: <see cref="AsyncOtlpOptions.Endpoint"/> is the whole address of requests.</param>
    /// <param name="context">The instance.</param>
    public static ILogSink Create(AsyncOtlpOptions options, SinkContext context)
    {
        OtlpTransportSettings settings = OtlpTransportSettings.From(options);
        context.SetTarget(settings.Target);
        return Create(settings, new OtlpRequest(OtlpResource.Encode(OtlpResource.AttributesOf(options))), context.TimeProvider, new ContextExportVoice(context));
    }

    /// <param name="settings">The way to the collector.</param>
    /// <param name="request">Builds requests.</param>
    /// <param name="timeProvider">The clock.</param>
    /// <param name="voice">Where trouble is told.</param>
    /// <param name="createHandler">Makes the HTTP handler; null: the real one.</param>
    /// <param name="random">The source of jitter; null: the real one.</param>
    public static OtlpSink Create(
        OtlpTransportSettings settings,
        OtlpRequest request,
        TimeProvider timeProvider,
        IExportVoice voice,
        Func<OtlpTransportSettings, Func<ExecutionContext?>, HttpMessageHandler>? createHandler = null,
        Func<double>? random = null)
    {
        Warn(settings, voice);
        return new OtlpSink(
            settings, request, new ExportClient(settings, timeProvider, createHandler), timeProvider, voice, random ?? Random.Shared.NextDouble);
    }

    /// <summary>Puts changed options in force.</summary>
    public static void Apply(ILogSink sink, AsyncOtlpOptions options) => ((OtlpSink)sink).Apply(OtlpTransportSettings.From(options));

    private static void Warn(OtlpTransportSettings settings, IExportVoice voice)
    {
        if (settings.IsGrpc && settings.Address.Port == HttpPort)
            voice.Report(SelfReportLevel.Warning, "port", $"gRPC is sent to port 4318, which by custom speaks HTTP: {settings.Target}.");
        else if (!settings.IsGrpc && settings.Address.Port == GrpcPort)
            voice.Report(SelfReportLevel.Warning, "port", $"HTTP is sent to port 4317, which by custom speaks gRPC: {settings.Target}.");
        if (settings.Tls.DangerousAcceptAnyServerCertificate && settings.IsSecure)
        {
            voice.Report(
                SelfReportLevel.Warning, "any_certificate",
                "any server certificate is accepted (DangerousAcceptAnyServerCertificate): whoever answers can read and swallow the records.");
        }
    }
}
