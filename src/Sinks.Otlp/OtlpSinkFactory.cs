namespace AsyncLog;

/// <summary>Makes the sink of one instance.</summary>
internal static class OtlpSinkFactory
{
    /// <param name="options">Resolved options: <see cref="AsyncOtlpOptions.Endpoint"/> is the whole address of requests.</param>
    /// <param name="context">The instance.</param>
    public static ILogSink Create(AsyncOtlpOptions options, SinkContext context)
    {
        OtlpTransportSettings settings = OtlpTransportSettings.From(options);
        context.SetTarget(settings.Target);
        context.SetServer(settings.Address.IdnHost, settings.Address.Port);
        OtlpSink sink = Create(settings, new OtlpRequest(OtlpResource.Encode(OtlpResource.AttributesOf(options))), context.TimeProvider, new ContextExportVoice(context));
        if (OtlpWarnings.AcceptsAnyone(options))
        {
            context.Degrade(OtlpWarnings.AnyCertificate);
            sink.Ended += () => context.Restore(OtlpWarnings.AnyCertificate);
        }

        return sink;
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
        Func<OtlpTransportSettings, ExportLink, HttpMessageHandler>? createHandler = null,
        Func<double>? random = null) =>
        new(settings, request, new ExportClient(settings, timeProvider, createHandler ?? ((way, link) => ExportHandler.Create(way, link, voice))), timeProvider, voice, random ?? Random.Shared.NextDouble);

    /// <summary>Puts changed options in force.</summary>
    public static void Apply(ILogSink sink, AsyncOtlpOptions options) => ((OtlpSink)sink).Apply(OtlpTransportSettings.From(options));
}
