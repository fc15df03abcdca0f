namespace AsyncLog;

/// <summary>One formatter per layout, so that instances that look alike share the rendering of a record.</summary>
internal sealed class FormatterCache(IReadOnlyDictionary<string, ILogFormatter> named, ApplicationInfo application, TimeProvider timeProvider)
{
    // Protects the formatters; taken at start and on reload only.
    private readonly Lock _gate = new();
    private readonly Dictionary<RecordLayout, ILogFormatter> _formatters = [];

    public ILogFormatter For(RecordLayout layout)
    {
        if (layout.Custom is null && named.TryGetValue(layout.Format, out var own))
            return own;
        lock (_gate)
        {
            if (!_formatters.TryGetValue(layout, out var formatter))
                _formatters[layout] = formatter = Create(layout);
            return formatter;
        }
    }

    private ILogFormatter Create(RecordLayout layout) => layout.Custom is { } custom
        ? custom.CreateFormatter(layout, TextLogTemplate.Of(layout, application, timeProvider), timeProvider)
        : LogFormatters.Create(layout, application, timeProvider);
}
