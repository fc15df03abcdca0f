using Company.Sink1;
using Microsoft.Extensions.Configuration;

namespace Microsoft.Extensions.Logging;

/// <summary>The registration: <c>builder.Logging.AddQueue1()</c>.</summary>
public static class Queue1LoggingBuilderExtensions
{
    public static ILoggingBuilder AddQueue1(this ILoggingBuilder builder, Action<Queue1SinkOptions>? configure = null)
        => builder.AddAsyncLogSink<Queue1Sink, Queue1SinkOptions>(
            (options, context) => new Queue1Sink(options, context), bind: static (section, options) => section.Bind(options), configure);
}
