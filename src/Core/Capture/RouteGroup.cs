namespace AsyncLog;

/// <summary>Routes that share a layout: one rendering serves them all.</summary>
internal sealed class RouteGroup(ILogFormatter formatter, SinkRoute[] routes)
{
    public readonly ILogFormatter Formatter = formatter;

    public readonly SinkRoute[] Routes = routes;
}
