namespace AsyncLog;

/// <summary>The scopes of one event, captured when first asked for.</summary>
internal sealed class ScopeList
{
    private const int Most = 128;
    private const int KeptBytes = 64 * 1024;
    private const int FirstRoom = 8;

    // No closure: the callback gets the event through the provider.
    private static readonly Action<object?, LogEvent> Capture = static (scope, owner) => owner.Scopes.Add(scope, owner);

    private readonly PropertyList _properties = new();
    private ScopeEntry[] _entries = new ScopeEntry[FirstRoom];
    private RecordBuffer? _text;
    private RecordBuffer? _scratch;
    private int _count;
    private bool _isCaptured;

    public int GetCount(LogEvent owner)
    {
        if (!_isCaptured)
            CaptureAll(owner);
        return _count;
    }

    public LogScope Get(int index, LogEvent owner)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual((uint)index, (uint)GetCount(owner), nameof(index));
        ref readonly var entry = ref _entries[index];
        return new LogScope(owner, index, _properties.Items.Slice(entry.Start, entry.Count), entry.HasProperties);
    }

    public ReadOnlySpan<byte> GetText(int index, LogEvent owner)
    {
        if (!_entries[index].HasText)
            RenderText(index, owner);
        return _text!.WrittenSpan.Slice(_entries[index].TextStart, _entries[index].TextLength);
    }

    /// <summary>Drops every reference, and memory that is far more than usual.</summary>
    public void End()
    {
        _isCaptured = false;
        if (_count == 0)
            return;
        _entries.AsSpan(0, _count).Clear();
        _count = 0;
        _properties.Clear();
        _text?.Trim(KeptBytes);
        _scratch?.Trim(KeptBytes);
    }

    private void CaptureAll(LogEvent owner)
    {
        // First, so that a provider whose code asks again cannot recurse.
        _isCaptured = true;
        _text?.Reset(owner.MessageLimit);
        try
        {
            owner.ScopeProvider?.ForEachScope(Capture, owner);
        }
        catch (Exception exception)
        {
            owner.RenderErrors++;
            Append(new ScopeEntry { Scope = MessageRenderer.Placeholder(null, exception), Start = _properties.Count });
        }
    }

    private void Add(object? scope, LogEvent owner)
    {
        if (scope is null || _count >= Most || MelStates.IsActivityScope(scope))
            return;
        var start = _properties.Count;
        string? template = null;
        Exception? fault = null;
        var hasProperties = true;
        if (scope is IReadOnlyList<KeyValuePair<string, object?>> list)
            fault = PairReader.ReadList(ref list, Most, _properties, ref template);
        else if (scope is IEnumerable<KeyValuePair<string, object?>> sequence)
            fault = PairReader.ReadSequence(sequence, Most, _properties, ref template);
        else
            hasProperties = false;
        if (fault is not null)
        {
            owner.RenderErrors++;
            _properties.Add("Error", LogValue.FromString(MessageRenderer.Placeholder(null, fault)));
        }
        Append(new ScopeEntry
        {
            Scope = scope,
            Template = template,
            Start = start,
            Count = _properties.Count - start,
            HasProperties = hasProperties,
        });
    }

    private void Append(in ScopeEntry entry)
    {
        if (_count == _entries.Length)
            Array.Resize(ref _entries, _count * 2);
        _entries[_count++] = entry;
    }

    private void RenderText(int index, LogEvent owner)
    {
        if (_text is null)
        {
            _text = new RecordBuffer();
            _text.Reset(owner.MessageLimit);
        }
        var start = _text.WrittenSpan.Length;
        RenderText(_entries[index], start, owner);
        var length = _text.WrittenSpan.Length - start;
        if (_text.IsCut)
            length = Utf8Boundary.WholeRunes(_text.WrittenSpan[start..]);
        ref var entry = ref _entries[index];
        entry.HasText = true;
        entry.TextStart = start;
        entry.TextLength = length;
    }

    private void RenderText(in ScopeEntry entry, int start, LogEvent owner)
    {
        var template = TemplateOf(entry);
        if (template is not null)
        {
            owner.RenderErrors += MessageRenderer.Render(template, new HoleValues(_properties.Items.Slice(entry.Start, entry.Count)), _text!, ref _scratch);
            return;
        }
        string? text;
        try
        {
            text = entry.Scope!.ToString();
        }
        catch (Exception exception)
        {
            owner.RenderErrors++;
            text = MessageRenderer.Placeholder(entry.Scope, exception);
        }
        var writer = new Utf8Writer(_text!);
        MessageWriter.Write(ref writer, text);
        writer.EndText();
        writer.Flush();
    }

    // Text of MEL's own scopes follows from the template; others have a ToString of their own.
    private static MessageTemplate? TemplateOf(in ScopeEntry entry)
    {
        if (entry.Template is null || entry.Count == 0)
            return null;
        var type = entry.Scope!.GetType();
        if (!MelStates.IsTemplateCall(type) && !MelStates.IsDefined(type))
            return null;
        var template = TemplateTable.Find(entry.Template);
        return template is not null && template.Names.Length == entry.Count ? template : null;
    }

    private struct ScopeEntry
    {
        public object? Scope;
        public string? Template;
        public int Start;
        public int Count;
        public int TextStart;
        public int TextLength;
        public bool HasProperties;
        public bool HasText;
    }
}
