namespace AsyncLog;

/// <summary>What all instances of one provider share.</summary>
/// <param name="TimeProvider">The clock.</param>
/// <param name="Application">Names and folders.</param>
/// <param name="SelfReport">The logger's own voice.</param>
/// <param name="Categories">Numbers of category names.</param>
/// <param name="Histograms">The histograms of the meter.</param>
/// <param name="RenderNotice">Renders a notice in a route's layout.</param>
internal sealed record InstanceServices(
    TimeProvider TimeProvider, ApplicationInfo Application, SelfReport SelfReport, CategoryTable Categories, MeterHistograms Histograms,
    NoticeRenderer RenderNotice);

/// <summary>Renders a notice in a route's layout.</summary>
/// <param name="route">The route.</param>
/// <param name="notice">The notice.</param>
/// <param name="utcTicks">Its time.</param>
/// <returns>The bytes; empty when it cannot be rendered.</returns>
internal delegate byte[] NoticeRenderer(RecordRoute route, Notice notice, long utcTicks);
