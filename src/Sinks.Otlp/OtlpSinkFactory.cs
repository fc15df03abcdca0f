namespace AsyncLog;

/// <summary>Makes the sink of one instance.</summary>
internal static class OtlpSinkFactory
{
    public static ILogSink Create(AsyncOtlpOptions options, SinkContext context) => OtlpSink.Create(options, context);

    /// <summary>Puts changed options in force.</summary>
    public static void Apply(ILogSink sink, AsyncOtlpOptions options) => ((OtlpSink)sink).Apply(options);
}
