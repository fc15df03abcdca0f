namespace AsyncLog;

/// <summary>The bytes that all records of one call have in common: rendered once, then only copied. Any thread.</summary>
internal sealed class JsonCall : RenderedCall
{
    /// <summary>Everything between the timestamp and the message.</summary>
    public readonly Utf8Literal Head;

    /// <summary>The template of the message with <see cref="Head"/> before and the quote after it; null without a template.</summary>
    public readonly MessageTemplate? Message;

    // A call with more is rendered in full each time.
    private const int MaxBytes = 16 * 1024;

    private readonly string[] _names;
    private readonly Utf8Literal[] _keys;
    private readonly Utf8Literal _after;
    private readonly bool _isUsable;

    // The keys and values of a state that is read in place; null without a template.
    private readonly MessageTemplate? _properties;

    // All of a record without scopes after its time; null if the literals of the message need escapes.
    private readonly MessageTemplate? _whole;
    private readonly FastLayout _fast;

    // The last other array that was found to have the same names; a race loses one.
    private string[]? _sameNames;

    /// <param name="logEvent">An event of the call; it has a template.</param>
    public JsonCall(LogEvent logEvent, JsonRecordLayout layout, FormatScratch scratch)
        : base(logEvent)
    {
        var properties = logEvent.Properties;
        _names = new string[properties.Length];
        for (var i = 0; i < _names.Length; i++)
            _names[i] = properties[i].Name;
        _isUsable = PropertyNames.MarkLast(properties, new bool[_names.Length]) == _names.Length && Array.TrueForAll(_names, layout.IsFixedKey);

        var buffer = new RecordBuffer();
        var writer = new JsonWriter(buffer, logEvent, scratch);
        layout.WriteHead(ref writer);
        Head = Take(ref writer, buffer);
        layout.WriteSource(ref writer);
        _keys = new Utf8Literal[_names.Length];
        for (var i = 0; i < _keys.Length; i++)
        {
            layout.WriteKey(ref writer, isFirst: i == 0, _names[i]);
            _keys[i] = Take(ref writer, buffer);
        }
        layout.WriteAfterProperties(ref writer, isFirst: _keys.Length == 0);
        _after = Take(ref writer, buffer);
        Message = logEvent.ParsedTemplate?.ToJsonString().WithAffixes(Head.Span, "\""u8);
        _properties = logEvent.ParsedTemplate?.ToJsonTemplate([.. _keys, _after]);
        _isUsable &= Head.Length + _keys.Sum(static key => key.Length) + _after.Length <= MaxBytes;
        _fast = layout.Fast;
        if (_isUsable && logEvent.ParsedTemplate is { } template && Array.TrueForAll(template.Parts, static part => part.LiteralText is null && Escaping.IsClean(part.Literal.Span, EscapeStyle.Json)))
            _whole = Message!.Append(template.ToJsonTemplate([.. _keys, new Utf8Literal([.. _after.Span, .. layout.End])]));
    }

    /// <summary>The record of all events of this call without scopes and activity; null: values are not written in place.</summary>
    public FastRecord? ToFastRecord(LogEvent logEvent) => _whole is { } whole ? logEvent.ToFastRecord(_fast, whole) : null;

    /// <summary>Returns true if the bytes are right for an event of this call.</summary>
    public override bool Fits(LogEvent logEvent)
    {
        if (!_isUsable)
            return false;
        if (logEvent.LazyNames is not { } names)
            return HasNames(logEvent.Properties);
        if (ReferenceEquals(names, _sameNames))
            return true;
        if (!names.AsSpan().SequenceEqual(_names))
            return false;
        _sameNames = names;
        return true;
    }

    /// <summary>Writes everything between the exception and the scopes.</summary>
    public void WriteProperties(ref JsonWriter writer)
    {
        if (_properties is not null && writer.Event.TryWriteFast(ref writer.Text, _properties))
            return;
        var values = writer.Event.Arguments;
        LogValue room = default;
        var keys = _keys;
        for (var i = 0; i < keys.Length; i++)
        {
            writer.Text.Write(in keys[i]);
            JsonText.Write(ref writer.Text, in values.Get(i, ref room), writer.Scratch);
        }
        writer.Text.Write(in _after);
    }

    private bool HasNames(ReadOnlySpan<LogProperty> properties)
    {
        if (properties.Length != _names.Length)
            return false;
        for (var i = 0; i < properties.Length; i++)
        {
            if (!string.Equals(properties[i].NameRef, _names[i], StringComparison.Ordinal))
                return false;
        }
        return true;
    }

    // Removes and returns the bytes written since the last call.
    private static Utf8Literal Take(ref JsonWriter writer, RecordBuffer buffer)
    {
        writer.Text.Flush();
        var taken = new Utf8Literal(buffer.WrittenSpan);
        buffer.Reset(int.MaxValue);
        writer.Text = new Utf8Writer(buffer);
        return taken;
    }
}
