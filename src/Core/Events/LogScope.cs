using System.Globalization;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Sinks;

/// <summary>One logging scope of an event.</summary>
public readonly ref struct LogScope
{
    private readonly LogEvent _owner;
    private readonly int _index;

    internal LogScope(LogEvent owner, int index, ReadOnlySpan<LogProperty> properties, bool hasProperties, string? template)
    {
        MessageTemplate = template;
        _owner = owner;
        _index = index;
        Properties = properties;
        HasProperties = hasProperties;
    }

    /// <summary>True if the scope is a list of key/value pairs; otherwise it is plain text.</summary>
    public bool HasProperties { get; }

    /// <summary>The pairs of a key/value scope, without <c>{OriginalFormat}</c> and null keys; at most 128.</summary>
    public ReadOnlySpan<LogProperty> Properties { get; }

    /// <summary>The message template of the scope (<c>{OriginalFormat}</c>), or null when it has none.</summary>
    public string? MessageTemplate { get; }

    /// <summary>True if the scope's own text is nothing but the name of its type.</summary>
    internal bool IsTypeName => _owner.Scopes.IsTypeName(_index, _owner);

    /// <summary>The scope's text (its <c>ToString()</c>, or its pairs if that is only the name of its type; rendered without a string for MEL's own scopes) as UTF-8, unescaped.</summary>
    public ReadOnlySpan<byte> Text => _owner.Scopes.GetText(_index, _owner);
}

/// <summary>The scopes of one event, captured on first use.</summary>
internal sealed class ScopeList
{
    private const int MaxScopes = 128;
    private const int KeptBytes = 64 * 1024;
    private const int FirstRoom = 8;

    // No closure: the provider passes the event to the callback.
    private static readonly Action<object?, LogEvent> Capture = static (scope, owner) => owner.Scopes.Add(scope, owner);

    private readonly PropertyList _properties = new();
    private ScopeEntry[] _entries = new ScopeEntry[FirstRoom];
    private RecordBuffer? _text;
    private object? _activityScope;
    private int _count;
    private int _seen;
    private int _leftOut;
    private bool _isCaptured;

    /// <summary>True if the event's scopes were read.</summary>
    public bool IsCaptured => _isCaptured;

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
        return new LogScope(owner, index, _properties.Items.Slice(entry.Start, entry.Count), entry.HasProperties, entry.Template);
    }

    public ReadOnlySpan<byte> GetText(int index, LogEvent owner)
    {
        if (!_entries[index].HasText)
            RenderText(index, owner);
        return _text!.WrittenSpan.Slice(_entries[index].TextStart, _entries[index].TextLength);
    }

    /// <summary>Returns true if the text of a scope is nothing but the name of its type, because it has no <c>ToString</c> of its own.</summary>
    public bool IsTypeName(int index, LogEvent owner)
    {
        if (!_entries[index].HasText)
            RenderText(index, owner);
        return _entries[index].IsTypeName;
    }

    /// <summary>Clears every reference; frees memory far beyond the usual size. Allocates nothing.</summary>
    public void Reset()
    {
        _isCaptured = false;
        if (_count == 0)
            return;
        _entries.AsSpan(0, _count).Clear();
        _count = 0;
        _properties.Clear();
        _text?.Trim(KeptBytes);
    }

    private void CaptureAll(LogEvent owner)
    {
        // Set first, so that a provider that reads the scopes again cannot recurse.
        _isCaptured = true;
        _text?.Reset(owner.MessageLimit);
        if (owner.ScopeProvider is not { } provider)
            return;
        try
        {
            _leftOut = 0;
            Visit(provider, owner);
            if (_seen > MaxScopes)
                CaptureInnermost(provider, owner);
        }
        catch (Exception exception)
        {
            owner.RenderErrors++;
            if (_count < MaxScopes)
                Append(new ScopeEntry { Scope = MessageRenderer.Placeholder(null, exception), Start = _properties.Count });
        }
        finally
        {
            _activityScope = null;
        }
    }

    private void Visit(IExternalScopeProvider provider, LogEvent owner)
    {
        _seen = 0;
        provider.ForEachScope(Capture, owner);
    }

    // The provider visits the outermost scope first, and the inner ones are more specific: a second visit skips the outer ones. A text replaces them.
    private void CaptureInnermost(IExternalScopeProvider provider, LogEvent owner)
    {
        _entries.AsSpan(0, _count).Clear();
        _count = 0;
        _properties.Clear();
        _leftOut = _seen - (MaxScopes - 1);
        Append(new ScopeEntry { Scope = string.Create(CultureInfo.InvariantCulture, $"<{_leftOut} outer scopes left out>") });
        Visit(provider, owner);
    }

    private void Add(object? scope, LogEvent owner)
    {
        if (scope is null)
            return;
        // Read here: a provider creates the scope at its first visit. Skipped only where the record has the ids itself.
        if (_activityScope is null && owner.HasTrace)
            _activityScope = MelStates.ActivityScope;
        if (ReferenceEquals(scope, _activityScope))
        {
            AddActivity(scope, owner);
            return;
        }
        if (!IsWanted())
            return;
        var start = _properties.Count;
        string? template = null;
        var hasProperties = PairReader.TryRead(scope, MaxScopes, _properties, owner.Owner, ref template, out var fault);
        if (fault is not null)
        {
            owner.RenderErrors++;
            _properties.Add("Error", LogValue.FromString(MessageRenderer.Placeholder(null, fault)));
        }
        // As Serilog does. A template has the signs already.
        if (template is null)
            NameOperators.ApplyToNames(_properties, start, owner.Owner);
        Append(new ScopeEntry
        {
            Scope = scope,
            Template = template,
            Start = start,
            Count = _properties.Count - start,
            HasProperties = hasProperties,
        });
    }

    // The record has the ids itself; the other members of the scope have no other place.
    private void AddActivity(object scope, LogEvent owner)
    {
        if (scope is not IReadOnlyList<KeyValuePair<string, object?>> pairs)
            return;
        var start = _properties.Count;
        string? template = null;
        if (PairReader.ReadList(ref pairs, MaxScopes, _properties, owner.Owner, ref template) is { } fault)
            owner.CountRenderError(fault);
        for (var i = _properties.Count - 1; i >= start; i--)
        {
            ref readonly var property = ref _properties.Items[i];
            if (property.Name is "TraceId" or "SpanId" or "ParentId" || property.ValueRef.Kind == LogValueKind.Null)
                _properties.RemoveAt(i);
        }
        if (_properties.Count > start && IsWanted())
            Append(new ScopeEntry { Start = start, Count = _properties.Count - start, HasProperties = true });
    }

    private bool IsWanted() => _seen++ >= _leftOut && _count < MaxScopes;

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
        var isTypeName = RenderText(_entries[index], owner);
        var length = _text.WrittenSpan.Length - start;
        if (_text.IsTruncated)
            length = Truncation.WholeRunes(_text.WrittenSpan[start..]);
        ref var entry = ref _entries[index];
        entry.HasText = true;
        entry.IsTypeName = isTypeName;
        entry.TextStart = start;
        entry.TextLength = length;
    }

    // Returns true if the scope's own text is the name of its type.
    private bool RenderText(in ScopeEntry entry, LogEvent owner)
    {
        var template = TemplateOf(entry);
        if (template is not null)
        {
            var rendered = new Utf8Writer(_text!);
            owner.RenderErrors += MessageRenderer.Render(
                template, new TemplateArguments(_properties.Items.Slice(entry.Start, entry.Count)), ref rendered, owner.Scratch);
            rendered.Flush();
            return false;
        }
        string? text;
        var isTypeName = false;
        try
        {
            text = entry.Scope?.ToString();
            isTypeName = entry.Scope is not (null or string) && text == entry.Scope.GetType().ToString();
            // A dictionary has no text of its own.
            if (entry.Scope is null || (isTypeName && entry.Count > 0))
            {
                WritePairs(_properties.Items.Slice(entry.Start, entry.Count), owner.Scratch);
                return isTypeName;
            }
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
        return isTypeName;
    }

    // As MEL writes the scopes of an activity and ASP.NET Core those of a request.
    private void WritePairs(ReadOnlySpan<LogProperty> pairs, FormatScratch scratch)
    {
        for (var i = 0; i < pairs.Length; i++)
        {
            var writer = new Utf8Writer(_text!);
            writer.Write(i == 0 ? ""u8 : ", "u8);
            writer.Write(pairs[i].Name);
            writer.EndText();
            writer.Write((byte)':');
            writer.Flush();
            ValueText.Append(pairs[i].ValueRef, _text!, scratch);
        }
    }

    // The text of MEL's scopes follows from the template; other scopes have their ToString.
    private static MessageTemplate? TemplateOf(in ScopeEntry entry)
    {
        if (entry.Template is null || entry.Count == 0)
            return null;
        if (entry.Scope?.GetType() is not { } type)
            return null;
        if (!MelStates.IsTemplateCall(type) && !MelStates.IsDefined(type))
            return null;
        var template = TemplateTable.Find(entry.Template);
        return template is not null && template.Names.Length == entry.Count ? template : null;
    }

    private struct ScopeEntry
    {
        // Null: the rest of an activity's scope.
        public object? Scope;
        public string? Template;
        public int Start;
        public int Count;
        public int TextStart;
        public int TextLength;
        public bool HasProperties;
        public bool HasText;
        public bool IsTypeName;
    }
}
