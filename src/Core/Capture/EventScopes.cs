using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>The scopes of one event, captured when a formatter first asks. User code runs in here.</summary>
internal sealed class EventScopes
{
    private const int Most = 128;
    private static readonly Action<object?, EventScopes> Add = static (scope, scopes) => scopes.AddScope(scope);
    private readonly RecordBuffer _text = new();
    private LogProperty[] _properties = [];
    private Captured[] _captured = [];
    private int _count;
    private int _propertyCount;
    private bool _isCaptured;
    private LogEvent? _logEvent;

    public int CountOf(IExternalScopeProvider? provider, LogEvent logEvent)
    {
        if (_isCaptured || provider is null)
            return _count;
        _isCaptured = true;
        _logEvent = logEvent;
        try
        {
            provider.ForEachScope(Add, this);
        }
        catch (Exception)
        {
            logEvent.RenderErrors++;
        }

        return _count;
    }

    public LogScope Get(int index, LogEvent logEvent)
    {
        var captured = _captured[index];
        return new LogScope(this, logEvent, index, _properties.AsSpan(captured.First, captured.Count), captured.HasProperties);
    }

    public ReadOnlySpan<byte> TextOf(int index, LogEvent logEvent)
    {
        var captured = _captured[index];
        _text.Reset(int.MaxValue);
        if (captured.Template is { } template)
            MessageRenderer.Render(template, _properties.AsSpan(captured.First, captured.Count), _text, logEvent);
        else
            MessageRenderer.AppendText(captured.State, _text, logEvent);
        return _text.WrittenSpan;
    }

    public void Clear()
    {
        if (!_isCaptured)
            return;
        _properties.AsSpan(0, _propertyCount).Clear();
        _captured.AsSpan(0, _count).Clear();
        _count = 0;
        _propertyCount = 0;
        _isCaptured = false;
        _logEvent = null;
        _text.Trim(64 << 10);
    }

    private void AddScope(object? scope)
    {
        if (scope is null || _count == Most || ActivityScopes.IsActivity(scope))
            return;
        if (_count == _captured.Length)
            Array.Resize(ref _captured, Math.Max(8, _count * 2));
        var captured = new Captured { State = scope, First = _propertyCount };
        ReadPairs(scope, ref captured);
        captured.Count = _propertyCount - captured.First;
        _captured[_count++] = captured;
    }

    private void ReadPairs(object scope, ref Captured captured)
    {
        try
        {
            switch (scope)
            {
                case IReadOnlyList<KeyValuePair<string, object?>> list:
                    captured.HasProperties = true;
                    for (var i = 0; i < list.Count && i < Most; i++)
                        AddPair(list[i], ref captured);
                    break;
                case Dictionary<string, object?> dictionary:
                    captured.HasProperties = true;
                    foreach (var pair in dictionary)
                        AddPair(pair, ref captured);
                    break;
                case IEnumerable<KeyValuePair<string, object?>> pairs:
                    captured.HasProperties = true;
                    foreach (var pair in pairs.Take(Most))
                        AddPair(pair, ref captured);
                    break;
            }
        }
        catch (Exception)
        {
            // What was read stays; the rest of a scope that throws cannot be had.
            _logEvent!.RenderErrors++;
        }
    }

    private void AddPair(in KeyValuePair<string, object?> pair, ref Captured captured)
    {
        if (pair.Key is null || _propertyCount - captured.First == Most)
            return;
        if (pair.Key == StateKeys.OriginalFormat)
        {
            if (pair.Value is string text && MelStates.IsTemplateState(captured.State!.GetType()))
                captured.Template = MessageTemplates.Find(text);
            return;
        }

        if (_propertyCount == _properties.Length)
            Array.Resize(ref _properties, Math.Max(8, _propertyCount * 2));
        _properties[_propertyCount++] = new LogProperty(pair.Key, LogValue.FromObject(pair.Value));
    }

    private struct Captured
    {
        public object? State;
        public MessageTemplate? Template;
        public int First;
        public int Count;
        public bool HasProperties;
    }
}
