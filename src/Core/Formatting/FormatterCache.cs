namespace AsyncLog;

/// <summary>One formatter per layout, so that instances that look alike share the rendering of a record.</summary>
internal sealed class FormatterCache(IEnumerable<NamedLogFormatter> named, ApplicationInfo application, TimeProvider timeProvider)
{
    // Protects the formatters; taken at start and on reload only.
    private readonly Lock _gate = new();
    private readonly Dictionary<string, ILogFormatter> _named = Index(named);
    private readonly Dictionary<RecordLayout, ILogFormatter> _formatters = [];

    public ILogFormatter For(RecordLayout layout)
    {
        if (_named.TryGetValue(layout.Format, out var own))
            return own;
        lock (_gate)
        {
            if (!_formatters.TryGetValue(layout, out var formatter))
                _formatters[layout] = formatter = LogFormatters.Create(layout, application, timeProvider);
            return formatter;
        }
    }

    // The last registration of a name wins, as in the container.
    private static Dictionary<string, ILogFormatter> Index(IEnumerable<NamedLogFormatter> named)
    {
        var index = new Dictionary<string, ILogFormatter>(StringComparer.OrdinalIgnoreCase);
        foreach (var (name, formatter) in named)
            index[name] = formatter;
        return index;
    }
}
