using AsyncLog;
using AsyncLog.Sinks;
using Microsoft.Extensions.Logging;

namespace CustomSink;

/// <summary>The smallest sink. A batch is valid only until the method returns, so it makes strings. <see cref="HttpSink"/> is a sink with I/O.</summary>
/// <remarks>The alias is the name of the section, <c>Logging:Memory</c>, and what filters are addressed to.</remarks>
[ProviderAlias("Memory")]
public sealed class MemorySink(MemoryOptions options, SinkContext context) : ILogSink
{
    public ValueTask WriteAsync(LogBatch batch, CancellationToken cancellationToken)
    {
        for (var index = 0; index < batch.Count; index++)
            options.Lines.Add($"{context.Name}: {System.Text.Encoding.UTF8.GetString(batch[index].Bytes.Span).TrimEnd()}");
        return ValueTask.CompletedTask;
    }
}

/// <summary>Options, section <c>Logging:Memory</c>. Levels, layout, queue bounds, overflow and shutdown are in the base class.</summary>
public sealed class MemoryOptions : SinkOptions
{
    public IList<string> Lines { get; set; } = [];
}
