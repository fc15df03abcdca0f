namespace AsyncLog;

/// <summary>Routes that share a layout: one rendering serves them all.</summary>
internal sealed class RouteGroup(ILogFormatter formatter, RecordRoute[] routes)
{
    public readonly ILogFormatter Formatter = formatter;

    public readonly RecordRoute[] Routes = routes;
}
