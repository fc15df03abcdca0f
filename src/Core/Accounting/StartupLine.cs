using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>The line that announces an instance at start: <c>file "errors" -> /srv/shop/logs/Shop-errors.log (text, roll Day or 100 MB, keep 31)</c>.</summary>
/// <param name="Sink">The instance's full name.</param>
/// <param name="State">Text and properties.</param>
internal readonly record struct StartupLine(string Sink, OwnState State)
{
    public static readonly EventId EventId = new(1, "SinkStarted");

    public static StartupLine Of(SinkInstance instance, string summary) => new(instance.Name, new OwnState(
        $"{instance.Type} \"{instance.ShortName}\" -> {instance.Target} ({summary})",
        [new("Sink", instance.Name), new("Target", instance.Target), new("Summary", summary)]));
}
