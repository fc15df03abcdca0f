using System.Collections.Concurrent;
using System.Text;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Hosting;

/// <summary>A sink as others write it: one class, and its options.</summary>
[ProviderAlias("Queue")]
internal sealed class QueueSink : ILogSink
{
    private readonly ConcurrentQueue<string> _lines = new();

    public QueueSink(QueueSinkOptions options, SinkContext context)
    {
        Options = options;
        Context = context;
        context.SetTarget(options.Url ?? "nowhere");
    }

    public QueueSinkOptions Options { get; }

    public SinkContext Context { get; }

    /// <summary>Runs at the start of each call of <see cref="WriteAsync"/>.</summary>
    public Action<LogBatch>? Before { get; set; }

    public string[] Lines => [.. _lines];

    public ValueTask WriteAsync(LogBatch batch, CancellationToken cancellationToken)
    {
        Before?.Invoke(batch);
        for (var index = 0; index < batch.Count; index++)
            _lines.Enqueue(Encoding.UTF8.GetString(batch[index].Bytes.Span).TrimEnd());
        return default;
    }
}

internal sealed class QueueSinkOptions : SinkOptions
{
    public string? Url { get; set; }

    public int Port { get; set; } = 5672;

    public QueueMode Mode { get; set; }

    public bool Durable { get; set; }

    public TimeSpan? Timeout { get; set; }

    public int Limit
    {
        get;
        set => field = value > 0 ? value : throw new ArgumentException("must be at least 1");
    } = 1;

    [ConfigurationKeyName("exchange")]
    public string? Channel { get; set; }

    public List<string> Topics { get; } = [];

    public Dictionary<string, string> Labels { get; } = [];

    public string[] Hosts { get; set; } = [];

    public QueueLogin Login { get; set; } = new();

    /// <summary>The section and its value are secrets by their name.</summary>
    public int ApiKey { get; set; }

    /// <summary>Set by code only; another object at each reading.</summary>
    public Action? Connected { get; set; }

    public bool HasUrl => Url is not null;
}

internal sealed class QueueLogin
{
    public string? User { get; set; }

    public int Tries { get; set; } = 3;
}

internal enum QueueMode
{
    Direct,
    Fanout,
}

/// <summary>Another sink with the alias.</summary>
[ProviderAlias("queue")]
internal sealed class OtherQueueSink : ILogSink
{
    public ValueTask WriteAsync(LogBatch batch, CancellationToken cancellationToken) => default;
}

internal sealed class OtherQueueOptions : SinkOptions;

/// <summary>A sink without an alias.</summary>
internal sealed class NamelessSink : ILogSink
{
    public ValueTask WriteAsync(LogBatch batch, CancellationToken cancellationToken) => default;
}
