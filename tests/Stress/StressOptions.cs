using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests;

/// <summary>Options of the stress sink: only the common ones.</summary>
internal sealed class StressOptions : SinkOptions;

/// <summary>Its provider.</summary>
[ProviderAlias("Stress")]
internal sealed class StressLoggerProvider(SinkServices<StressOptions> services) : SinkLoggerProvider<StressOptions>(services);

/// <summary>Describes it: one sink for all.</summary>
internal sealed class StressDefinition(ILogSink sink) : SinkDefinition<StressOptions>("stress")
{
    public override string RegistrationMethod => "AddSink";

    public override ILogSink CreateSink(StressOptions options, SinkContext context) => sink;
}
