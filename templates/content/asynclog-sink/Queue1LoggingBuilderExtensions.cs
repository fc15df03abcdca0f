using Company.Sink1;

namespace Microsoft.Extensions.Logging;

/// <summary>The registration: <c>builder.Logging.AddQueue1()</c>.</summary>
public static class Queue1LoggingBuilderExtensions
{
    public static ILoggingBuilder AddQueue1(this ILoggingBuilder builder, Action<Queue1SinkOptions>? configure = null)
        => builder.AddSink<Queue1LoggerProvider, Queue1SinkOptions>(new Queue1SinkDefinition(), configure);
}
