using System.Text;
using AsyncLog;
using Microsoft.Extensions.Logging;

namespace CustomSink;

/// <summary>A destination: one class, one method. The worker, a thread of its own, calls it with one batch at a time.</summary>
public sealed class MemorySink(MemoryOptions options, SinkContext context) : ILogSink
{
    /// <summary>A normal return means that all of the batch is written. Throwing means "later again", with what is left: the worker counts, reports
    /// and backs off. <c>batch.Refuse(...)</c> says "never". The batch is valid only until the task ends, so this sink makes strings.</summary>
    public ValueTask WriteAsync(LogBatch batch, CancellationToken cancellationToken)
    {
        for (var index = 0; index < batch.Count; index++)
            options.Lines.Add($"{context.Name}: {Encoding.UTF8.GetString(batch[index].Bytes.Span).TrimEnd()}");
        return ValueTask.CompletedTask;
    }

    /// <summary>Comes last, after everything was written or the shutdown budget was used up.</summary>
    public ValueTask DisposeAsync() => ValueTask.CompletedTask;
}

/// <summary>Options. Levels, layout, queue bounds, overflow, shutdown are in the base class; section <c>Logging:Memory</c> sets them.</summary>
public sealed class MemoryOptions : SinkOptions
{
    public IList<string> Lines { get; set; } = [];
}

/// <summary>The provider: its alias is the name of the section, <c>Logging:Memory</c>, and what filters are addressed to.</summary>
[ProviderAlias("Memory")]
public sealed class MemoryLoggerProvider(SinkServices<MemoryOptions> services) : SinkLoggerProvider<MemoryOptions>(services);

/// <summary>What AsyncLog has to know: the name, as in <c>memory/default</c>, and how a sink is made. Everything else may be overridden.</summary>
public sealed class MemorySinkDefinition() : SinkDefinition<MemoryOptions>("memory")
{
    public override ILogSink CreateSink(MemoryOptions options, SinkContext context) => new MemorySink(options, context);
}

/// <summary>The registration: <c>builder.Logging.AddMemory()</c>.</summary>
public static class MemoryLoggingBuilderExtensions
{
    public static ILoggingBuilder AddMemory(this ILoggingBuilder builder, Action<MemoryOptions>? configure = null)
        => builder.AddSink<MemoryLoggerProvider, MemoryOptions>(new MemorySinkDefinition(), configure);
}
