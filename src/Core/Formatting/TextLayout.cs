using System.Buffers;
using System.Runtime.CompilerServices;
using System.Text;

namespace AsyncLog;

/// <summary>A compiled text layout: one loop over its operations writes a record.</summary>
internal sealed class TextLayout : LogTemplate, IContextLayout
{
    private static readonly SearchValues<byte> Quoted = SearchValues.Create(" =\""u8);

    private readonly EscapeStyle _style;
    private readonly string[] _namedProperties;
    private readonly TextOperation[] _inserts;
    private readonly bool _withScopes;
    private readonly bool _singleLine;
    private readonly byte[] _indent;

    // The replacement of a line break in a message or value; null: it is escaped as other control characters.
    private readonly byte[]? _lineBreak;

    /// <param name="style"><see cref="EscapeStyle.Text"/>, or <see cref="EscapeStyle.None"/>: then exceptions are not indented either.</param>
    public TextLayout(RecordLayout layout, TextTemplate template, ApplicationInfo application, TimeProvider timeProvider, EscapeStyle style = EscapeStyle.Text)
    {
        _style = style;
        NewLine = Encoding.UTF8.GetBytes(layout.NewLine);
        Operations = new TextCompiler(layout, application, timeProvider, style).Compile(template);
        _inserts = Array.FindAll(Operations, static operation => operation.Placeholder is TextPlaceholder.TraceId or TextPlaceholder.SpanId or TextPlaceholder.Scopes or TextPlaceholder.Properties);
        _indent = [.. NewLine, .. "  "u8];
        _lineBreak = layout.IndentNewLines ? _indent : null;
        _namedProperties = [.. template.Parts.Where(static part => part.Placeholder == TextPlaceholder.Property).Select(static part => part.Text)];
        _withScopes = layout.IncludeScopes ?? true;
        _singleLine = layout.SingleLine;
        // A sink that escapes the text itself may read it again and trims its line ends: it needs a message that is kept.
        HasOneMessage = style != EscapeStyle.None && template.Parts.Where(static part => part.Placeholder == TextPlaceholder.Message).ToArray() is [{ Width: 0 }];
    }

    public TextOperation[] Operations { get; }

    /// <summary>True if the properties that are nowhere else are part of the layout.</summary>
    public bool HasProperties => Array.Exists(_inserts, static operation => operation.Placeholder == TextPlaceholder.Properties);

    /// <summary>True if scopes are.</summary>
    public bool HasScopes => Array.Exists(_inserts, static operation => operation.Placeholder is TextPlaceholder.Properties or TextPlaceholder.Scopes);

    public int Inserts => _inserts.Length;

    public byte[] NewLine { get; }

    /// <summary>True if the message is written in place in the record if it needs no escapes.</summary>
    public bool HasOneMessage { get; }

    /// <summary>Compiles the template of a layout for a sink that escapes the text itself; null without a template.</summary>
    public static LogTemplate? Unescaped(RecordLayout layout, ApplicationInfo application, TimeProvider timeProvider)
    {
        if (layout.Template is not { } template)
            return null;
        // The sink decides where lines end.
        var unbroken = layout with { IndentNewLines = false, SingleLine = false };
        return new TextLayout(unbroken, TextTemplate.Parse(template), application, timeProvider, EscapeStyle.None);
    }

    /// <summary>Writes a record.</summary>
    public void Write(ref Utf8Writer writer, LogEvent logEvent, FormatScratch scratch)
    {
        foreach (ref readonly var operation in Operations.AsSpan())
            Write(ref writer, in operation, logEvent, scratch);
    }

    /// <summary>Writes one part of a record.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(ref Utf8Writer writer, in TextOperation operation, LogEvent logEvent, FormatScratch scratch)
    {
        if (operation.Width == 0)
            WriteUnaligned(ref writer, in operation, logEvent, scratch);
        else
            WriteAligned(ref writer, in operation, logEvent, scratch);
    }

    public void WriteInsert(int insert, LogEvent logEvent, RecordBuffer output)
    {
        var writer = new Utf8Writer(output);
        Write(ref writer, in _inserts[insert], logEvent, logEvent.Scratch);
        writer.Flush();
    }

    /// <summary>Writes an insert as it is without activity and scopes.</summary>
    public void WriteOutside(in TextOperation operation, RecordBuffer output)
    {
        var none = new LogEvent();
        none.SetBuffered(null, null, null, null);
        var writer = new Utf8Writer(output);
        Write(ref writer, in operation, none, none.Scratch);
        writer.Flush();
    }

    /// <summary>The number of an insert; negative: the operation is none.</summary>
    public int InsertOf(in TextOperation operation)
    {
        for (var i = 0; i < _inserts.Length; i++)
        {
            ref readonly var insert = ref _inserts[i];
            if (insert.Placeholder == operation.Placeholder && insert.Width == operation.Width && ReferenceEquals(insert.Operand, operation.Operand)
                && insert.Text.Span.SequenceEqual(operation.Text.Span))
            {
                return i;
            }
        }

        return -1;
    }

    /// <summary>The properties for <c>{Properties}</c>.</summary>
    public LeftoverProperties Leftovers(LogEvent logEvent)
        => new(logEvent, _namedProperties, logEvent.TemplateNames, _withScopes);

    /// <summary>Writes <c>key=value</c>, the value in quotes if it would be ambiguous.</summary>
    public void WritePair(ref Utf8Writer writer, in LogProperty property, FormatScratch scratch)
    {
        Escaping.Write(ref writer, scratch.Bounded(property.Name), _style);
        writer.Write((byte)'=');
        if (property.Value.Kind != LogValueKind.Null && ValueText.TryWriteClean(ref writer, property.Value))
            return;
        var text = TextOf(property.Value, null, scratch);
        if (!IsQuoted(text))
        {
            WriteText(ref writer, text);
            return;
        }
        writer.Write((byte)'"');
        int quote;
        while ((quote = text.IndexOf((byte)'"')) >= 0)
        {
            WriteText(ref writer, text[..quote]);
            writer.Write("\\\""u8);
            text = text[(quote + 1)..];
        }
        WriteText(ref writer, text);
        writer.Write((byte)'"');
    }

    internal override RecordBuffer Render(LogEvent logEvent, FormatScratch scratch)
    {
        var output = scratch.Output;
        output.Reset(scratch.ValueLimit);
        var writer = new Utf8Writer(output);
        Write(ref writer, logEvent, scratch);
        writer.Flush();
        return output;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void WriteUnaligned(ref Utf8Writer writer, in TextOperation operation, LogEvent logEvent, FormatScratch scratch)
    {
        // The placeholders of nearly every record, without a further call.
        switch (operation.Placeholder)
        {
            case TextPlaceholder.Literal or TextPlaceholder.NewLine: writer.Write(in operation.Text); break;
            case TextPlaceholder.Timestamp: ((TimestampFormat)operation.Operand!).Write(ref writer, logEvent.UtcTicks, scratch.Timestamps); break;
            case TextPlaceholder.Level: WriteLevel(ref writer, (LevelTexts)operation.Operand!, logEvent); break;
            case TextPlaceholder.Message: WriteMessage(ref writer, logEvent); break;
            case TextPlaceholder.Category when logEvent.CategoryInfo is { IsPlain: true } known && operation.Operand is null: writer.Write(in known.Literal); break;
            case TextPlaceholder.Category: WriteCategory(ref writer, logEvent, isShort: operation.Operand is not null); break;
            case TextPlaceholder.Exception when !logEvent.HasException: writer.Write(in operation.Text); break;
            case TextPlaceholder.Exception: WriteException(ref writer, in operation, logEvent); break;
            default: WriteRare(ref writer, in operation, logEvent, scratch); break;
        }
    }

    private void WriteRare(ref Utf8Writer writer, in TextOperation operation, LogEvent logEvent, FormatScratch scratch)
    {
        switch (operation.Placeholder)
        {
            case TextPlaceholder.EventId: writer.WriteNumber(logEvent.EventId.Id); break;
            case TextPlaceholder.EventName: Escaping.Write(ref writer, scratch.Bounded(logEvent.EventId.Name ?? ""), _style); break;
            case TextPlaceholder.TraceId when logEvent.HasTrace: writer.Write(logEvent.TraceId.ToHexString()); break;
            case TextPlaceholder.SpanId when logEvent.HasTrace: writer.Write(logEvent.SpanId.ToHexString()); break;
            case TextPlaceholder.ThreadId when logEvent.ThreadId > 0: writer.WriteNumber(logEvent.ThreadId); break;
            case TextPlaceholder.Scopes: WriteScopes(ref writer, in operation, logEvent); break;
            case TextPlaceholder.Properties: WriteProperties(ref writer, logEvent, scratch); break;
            case TextPlaceholder.Property: WriteProperty(ref writer, (PropertyReference)operation.Operand!, logEvent, scratch); break;
            default: break;
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void WriteAligned(ref Utf8Writer writer, in TextOperation operation, LogEvent logEvent, FormatScratch scratch)
    {
        var buffer = scratch.Aligned;
        buffer.Reset(scratch.ValueLimit);
        var unaligned = new Utf8Writer(buffer);
        WriteUnaligned(ref unaligned, in operation, logEvent, scratch);
        unaligned.Flush();
        var text = buffer.WrittenRunes;
        var missing = Math.Abs(operation.Width) - Encoding.UTF8.GetCharCount(text);
        if (operation.Width > 0)
            writer.Fill((byte)' ', missing);
        writer.Write(text);
        if (operation.Width < 0)
            writer.Fill((byte)' ', missing);
    }

    private static void WriteLevel(ref Utf8Writer writer, LevelTexts level, LogEvent logEvent)
    {
        var texts = level.Texts;
        if ((uint)logEvent.Level < (uint)texts.Length)
        {
            writer.Write(in texts[(int)logEvent.Level]);
            return;
        }
        writer.Write(level.Before);
        writer.WriteNumber((int)logEvent.Level);
        writer.Write(level.After);
    }

    private void WriteCategory(ref Utf8Writer writer, LogEvent logEvent, bool isShort)
    {
        var category = logEvent.CategoryUtf8;
        if (isShort)
        {
            var dot = category.LastIndexOf((byte)'.');
            if (dot >= 0 && dot + 1 < category.Length)
                category = category[(dot + 1)..];
        }
        Escaping.Write(ref writer, category, _style);
    }

    /// <summary>Writes the message.</summary>
    public void WriteMessage(ref Utf8Writer writer, LogEvent logEvent)
    {
        if (HasOneMessage && logEvent.TryWriteMessage(ref writer, EscapeStyle.Text))
            return;
        var message = logEvent.Message;
        if (!message.IsEmpty && message[^1] is (byte)'\n' or (byte)'\r')
            message = message.TrimEnd("\r\n"u8);
        WriteText(ref writer, message);
    }

    private void WriteException(ref Utf8Writer writer, in TextOperation operation, LogEvent logEvent)
    {
        var text = logEvent.ExceptionText is { } exception ? exception.AsSpan().TrimEnd("\r\n") : default;
        if (text.IsEmpty)
        {
            writer.Write(in operation.Text);
            return;
        }
        if (_style == EscapeStyle.None)
        {
            Escaping.Write(ref writer, text, _style);
            return;
        }
        if (!_singleLine)
            writer.Write("  "u8);
        else if (operation.Text.Length > 0)
            writer.Write((byte)' ');
        Escaping.WriteLines(ref writer, text, _singleLine ? "\\n"u8 : _indent);
    }

    private void WriteScopes(ref Utf8Writer writer, in TextOperation operation, LogEvent logEvent)
    {
        var count = logEvent.ScopeCount;
        for (var i = 0; i < count; i++)
        {
            writer.Write(i == 0 ? operation.Text.Span : " "u8);
            writer.Write("=> "u8);
            WriteText(ref writer, logEvent.GetScope(i).Text);
        }
        if (count > 0 && operation.Operand is byte[] after)
            writer.Write(after);
    }

    private void WriteProperties(ref Utf8Writer writer, LogEvent logEvent, FormatScratch scratch)
    {
        var isFirst = true;
        foreach (var property in Leftovers(logEvent))
        {
            if (!isFirst)
                writer.Write((byte)' ');
            isFirst = false;
            WritePair(ref writer, property, scratch);
        }
    }

    private void WriteProperty(ref Utf8Writer writer, PropertyReference reference, LogEvent logEvent, FormatScratch scratch)
    {
        var list = logEvent.Properties;
        var index = PropertyNames.FindLast(list, reference.Name);
        for (var scope = _withScopes ? logEvent.ScopeCount : 0; index < 0 && --scope >= 0;)
        {
            list = logEvent.GetScope(scope).Properties;
            index = PropertyNames.FindLast(list, reference.Name);
        }
        if (index >= 0)
            WriteValue(ref writer, list[index].Value, reference.Format, scratch);
    }

    private void WriteValue(ref Utf8Writer writer, in LogValue value, string? format, FormatScratch scratch)
    {
        if (format is null && ValueText.TryWriteClean(ref writer, value))
            return;
        if (value.Kind != LogValueKind.String)
            WriteText(ref writer, TextOf(value, format, scratch));
        else if (_lineBreak is null)
            Escaping.Write(ref writer, scratch.Bounded(value.String!), _style);
        else
            Escaping.WriteLines(ref writer, scratch.Bounded(value.String!), _lineBreak);
    }

    private void WriteText(ref Utf8Writer writer, scoped ReadOnlySpan<byte> utf8)
    {
        if (_lineBreak is null)
            Escaping.Write(ref writer, utf8, _style);
        else
            Escaping.WriteLines(ref writer, utf8, _lineBreak);
    }

    private bool IsQuoted(ReadOnlySpan<byte> text)
        => text.IsEmpty || text.ContainsAny(Quoted) || (_lineBreak is not null && text.ContainsAny((byte)'\r', (byte)'\n'));

    private static ReadOnlySpan<byte> TextOf(in LogValue value, string? format, FormatScratch scratch)
    {
        var output = scratch.NewValue();
        if (format is null)
            ValueText.Append(value, output, scratch);
        else
            ValueText.AppendFormatted(value, format, output, scratch);
        return output.WrittenSpan;
    }
}

/// <summary>Enumerates the properties that are nowhere else in a text record: those of the state, then of the scopes.</summary>
/// <remarks>Of equal names the state's wins, else the inner scope's, within one list the last; it keeps its place.</remarks>
internal ref struct LeftoverProperties
{
    private readonly LogEvent _event;
    private readonly ReadOnlySpan<string> _inLayout;
    private readonly ReadOnlySpan<string> _inMessage;
    private readonly int _scopes;
    private ReadOnlySpan<LogProperty> _list;
    private int _scope = -1;
    private int _index = -1;

    public LeftoverProperties(LogEvent logEvent, ReadOnlySpan<string> inLayout, ReadOnlySpan<string> inMessage, bool withScopes)
    {
        _event = logEvent;
        _inLayout = inLayout;
        _inMessage = inMessage;
        _list = logEvent.Properties;
        _scopes = withScopes ? logEvent.ScopeCount : 0;
    }

    public readonly LogProperty Current => _list[_index];

    public readonly LeftoverProperties GetEnumerator() => this;

    public bool MoveNext()
    {
        while (true)
        {
            while (++_index < _list.Length)
            {
                if (IsWanted(_list[_index].Name))
                    return true;
            }
            if (++_scope >= _scopes)
                return false;
            _list = _event.GetScope(_scope).Properties;
            _index = -1;
        }
    }

    private readonly bool IsWanted(string name)
    {
        if (name.Length == 0 || _inLayout.Contains(name) || _inMessage.Contains(name) || PropertyNames.FindLast(_list[(_index + 1)..], name) >= 0)
            return false;
        if (_scope >= 0 && PropertyNames.FindLast(_event.Properties, name) >= 0)
            return false;
        for (var inner = _scope + 1; _scope >= 0 && inner < _scopes; inner++)
        {
            if (PropertyNames.FindLast(_event.GetScope(inner).Properties, name) >= 0)
                return false;
        }
        return true;
    }
}
