using AsyncLog;
using Microsoft.Extensions.Logging;

namespace Company.Sink1;

/// <summary>The provider: its alias is the name of the section and of the filters.</summary>
[ProviderAlias("Queue1")]
public sealed class Queue1LoggerProvider(SinkServices<Queue1SinkOptions> services) : SinkLoggerProvider<Queue1SinkOptions>(services);

/// <summary>Describes the sink: its options in configuration and what differs from the defaults.</summary>
public sealed class Queue1SinkDefinition() : SinkDefinition<Queue1SinkOptions>("queue1")
{
    public override string DefaultFormat => "Json";

    public override string DestinationKey => nameof(Queue1SinkOptions.Host);

    public override ILogSink CreateSink(Queue1SinkOptions options, SinkContext context)
    {
        context.SetTarget($"tcp://{options.Host}:{options.Port}");
        return new Queue1Sink(options);
    }

    public override void Describe(OptionsTable<Queue1SinkOptions> table) => table
        .Add("Host", static o => o.Host, static (o, v) => o.Host = v, OptionKind.Text, OptionReload.Rebuild)
        .Add("Port", static o => o.Port, static (o, v) => o.Port = v, OptionKind.Integer(1, 65_535), OptionReload.Rebuild);

    public override Backoff BackoffOf(Queue1SinkOptions options) => new(TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(30), HasJitter: true);
}
