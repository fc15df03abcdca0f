using System.Collections.Concurrent;
using System.Text;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Support;

/// <summary>A sink that delivers, hangs or fails as its mood is.</summary>
internal sealed class MoodySink : ILogSink
{
    private readonly Mood _mood;

    public MoodySink(MoodyOptions options, SinkContext context)
    {
        _mood = options.Mood;
        context.SetTarget(options.Target);
        options.OnCreate?.Invoke(context);
    }

    public async ValueTask WriteAsync(LogBatch batch, CancellationToken cancellationToken)
    {
        if (batch.Count == 0)
            return;
        await _mood.Gate.WaitAsync(cancellationToken);
        if (_mood.Failure is { } failure)
            throw failure;
        _mood.Keep(batch);
    }

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;
}

/// <summary>How a sink feels; a test sets it.</summary>
public sealed class Mood
{
    private TaskCompletionSource _gate = Opened();

    /// <summary>What every write waits for.</summary>
    public Task Gate => Volatile.Read(ref _gate).Task;

    /// <summary>What every write throws, or null.</summary>
    public LogSinkException? Failure { get; set; }

    /// <summary>The notices of lost records that were delivered.</summary>
    public ConcurrentQueue<string> Notices { get; } = new();

    public void Hang() => Volatile.Write(ref _gate, new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously));

    public void GoOn() => Volatile.Read(ref _gate).TrySetResult();

    public void Keep(LogBatch batch)
    {
        for (var index = 0; index < batch.Count; index++)
        {
            if (batch[index].Category == "AsyncLog" && Encoding.UTF8.GetString(batch[index].Bytes.Span) is var text && text.Contains("records dropped", StringComparison.Ordinal))
                Notices.Enqueue(text);
        }
    }

    private static TaskCompletionSource Opened()
    {
        var gate = new TaskCompletionSource();
        gate.SetResult();
        return gate;
    }
}

public sealed class MoodyOptions : SinkOptions
{
    public Mood Mood { get; set; } = new();

    public string Target { get; set; } = "nowhere";

    /// <summary>What the sink does with its context at first.</summary>
    public Action<SinkContext>? OnCreate { get; set; }
}

[ProviderAlias("Moody")]
internal sealed class MoodyLoggerProvider(SinkServices<MoodyOptions> services) : SinkLoggerProvider<MoodyOptions>(services);

internal sealed class MoodyDefinition() : SinkDefinition<MoodyOptions>("moody")
{
    public override string RegistrationMethod => "AddSink";

    public override ILogSink CreateSink(MoodyOptions options, SinkContext context) => new MoodySink(options, context);

    public override void ReadEnvironment(MoodyOptions options, SinkEnvironment environment) => options.Main = false;
}

internal static class MoodyLoggingBuilderExtensions
{
    public static ILoggingBuilder AddMoody(this ILoggingBuilder builder, string name, Mood mood, Action<MoodyOptions>? configure = null)
        => builder.AddSink<MoodyLoggerProvider, MoodyOptions>(
            new MoodyDefinition(),
            name,
            options =>
            {
                options.Mood = mood;
                configure?.Invoke(options);
            });
}
