using System.Runtime.CompilerServices;
using System.Text;

namespace AsyncLog;

/// <summary>The compiled text layout: writes each piece for an event.</summary>
internal sealed class TextLayout
{
    private readonly EscapeStyle _style;
    private readonly TextValues _values;
    private readonly string[] _ownNames;
    private readonly bool _withScopes;
    private readonly bool _singleLine;
    private readonly bool _hasOneMessage;
    private readonly byte[] _indent;

    /// <param name="layout">What the options say.</param>
    /// <param name="template">The template.</param>
    /// <param name="application">For the holes that name it.</param>
    /// <param name="timeProvider">For the local time zone.</param>
    /// <param name="style"><see cref="EscapeStyle.Text"/>, or <see cref="EscapeStyle.None"/>: then exceptions are not indented either.</param>
    public TextLayout(RecordLayout layout, TextTemplate template, ApplicationInfo application, TimeProvider timeProvider, EscapeStyle style = EscapeStyle.Text)
    {
        _style = style;
        NewLine = Encoding.UTF8.GetBytes(layout.NewLine);
        Pieces = new TextCompiler(layout, application, timeProvider, style).Compile(template);
        _indent = [.. NewLine, .. "  "u8];
        _values = new TextValues(style, layout.IndentNewLines ? _indent : null);
        _ownNames = [.. template.Parts.Where(part => part.Hole == TextHole.Property).Select(part => part.Text)];
        _withScopes = layout.IncludeScopes ?? true;
        _singleLine = layout.SingleLine;
        // Who asks for text to escape it may ask for more, and gets line ends that are to be taken off: a message that was kept allows both.
        _hasOneMessage = style != EscapeStyle.None && Pieces.Count(static piece => piece.Hole == TextHole.Message) == 1;
    }

    public TextPiece[] Pieces { get; }

    public byte[] NewLine { get; }

    /// <summary>Writes all pieces of a record.</summary>
    public void Write(ref Utf8Writer writer, LogEvent logEvent, FormatScratch scratch)
    {
        foreach (var piece in Pieces)
            Write(ref writer, piece, logEvent, scratch);
    }

    /// <summary>Writes one piece.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(ref Utf8Writer writer, TextPiece piece, LogEvent logEvent, FormatScratch scratch)
    {
        // The holes that nearly every record has, without a call on the way.
        switch (piece.Width == 0 ? piece.Hole : TextHole.Properties)
        {
            case TextHole.Literal or TextHole.NewLine: writer.Write(in piece.Literal); break;
            case TextHole.Timestamp: piece.Timestamp!.Write(ref writer, logEvent.UtcTicks, scratch.Timestamps); break;
            case TextHole.Level: WriteLevel(ref writer, piece, logEvent); break;
            case TextHole.Message: WriteMessage(ref writer, logEvent); break;
            case TextHole.Category when logEvent.CategoryInfo is { IsPlain: true } known && !piece.IsShort: writer.Write(in known.Literal); break;
            case TextHole.Category: WriteCategory(ref writer, piece, logEvent); break;
            case TextHole.Exception when !logEvent.HasException: writer.Write(in piece.Literal); break;
            case TextHole.Exception: WriteException(ref writer, piece, logEvent); break;
            default: WriteRare(ref writer, piece, logEvent, scratch); break;
        }
    }

    /// <summary>The properties for <c>{Properties}</c>.</summary>
    public LeftoverProperties Leftovers(LogEvent logEvent)
        => new(logEvent, _ownNames, logEvent.TemplateNames, _withScopes);

    public void WritePair(ref Utf8Writer writer, in LogProperty property, FormatScratch scratch) => _values.WritePair(ref writer, property, scratch);

    private void WriteRare(ref Utf8Writer writer, TextPiece piece, LogEvent logEvent, FormatScratch scratch)
    {
        if (piece.Width != 0)
        {
            WriteAligned(ref writer, piece, logEvent, scratch);
            return;
        }
        switch (piece.Hole)
        {
            case TextHole.EventId: writer.WriteValue(logEvent.EventId.Id); break;
            case TextHole.EventName: Escaping.Write(ref writer, scratch.Bounded(logEvent.EventId.Name ?? ""), _style); break;
            case TextHole.TraceId when logEvent.HasTrace: writer.Write(logEvent.TraceId.ToHexString()); break;
            case TextHole.SpanId when logEvent.HasTrace: writer.Write(logEvent.SpanId.ToHexString()); break;
            case TextHole.ThreadId: writer.WriteValue(logEvent.ThreadId); break;
            case TextHole.Scopes: WriteScopes(ref writer, piece, logEvent); break;
            case TextHole.Properties: WriteProperties(ref writer, logEvent, scratch); break;
            case TextHole.Property: WriteProperty(ref writer, piece, logEvent, scratch); break;
            default: break;
        }
    }

    private void WriteAligned(ref Utf8Writer writer, TextPiece piece, LogEvent logEvent, FormatScratch scratch)
    {
        var buffer = scratch.Aligned;
        buffer.Reset(scratch.ValueLimit);
        var hole = new Utf8Writer(buffer);
        Write(ref hole, piece.Unaligned, logEvent, scratch);
        hole.Flush();
        var text = buffer.WrittenRunes;
        var missing = Math.Abs(piece.Width) - Encoding.UTF8.GetCharCount(text);
        if (piece.Width > 0)
            writer.Fill((byte)' ', missing);
        writer.Write(text);
        if (piece.Width < 0)
            writer.Fill((byte)' ', missing);
    }

    private static void WriteLevel(ref Utf8Writer writer, TextPiece piece, LogEvent logEvent)
    {
        var texts = piece.LevelTexts;
        if ((uint)logEvent.Level < (uint)texts.Length)
        {
            writer.Write(in texts[(int)logEvent.Level]);
            return;
        }
        writer.Write(piece.Bytes);
        writer.WriteValue((int)logEvent.Level);
        writer.Write(piece.AfterLevel);
    }

    private void WriteCategory(ref Utf8Writer writer, TextPiece piece, LogEvent logEvent)
    {
        var category = logEvent.CategoryUtf8;
        if (piece.IsShort)
        {
            var dot = category.LastIndexOf((byte)'.');
            if (dot >= 0 && dot + 1 < category.Length)
                category = category[(dot + 1)..];
        }
        Escaping.Write(ref writer, category, _style);
    }

    private void WriteMessage(ref Utf8Writer writer, LogEvent logEvent)
    {
        if (!_hasOneMessage || !logEvent.TryWriteMessage(ref writer, EscapeStyle.Text))
            WriteMessage(ref writer, logEvent.Message);
    }

    private void WriteMessage(ref Utf8Writer writer, ReadOnlySpan<byte> message)
    {
        if (!message.IsEmpty && message[^1] is (byte)'\n' or (byte)'\r')
            message = message.TrimEnd("\r\n"u8);
        _values.Write(ref writer, message);
    }

    private void WriteException(ref Utf8Writer writer, TextPiece piece, LogEvent logEvent)
    {
        var text = logEvent.ExceptionText is { } exception ? exception.AsSpan().TrimEnd("\r\n") : default;
        if (text.IsEmpty)
        {
            writer.Write(piece.Bytes);
            return;
        }
        if (_style == EscapeStyle.None)
        {
            Escaping.Write(ref writer, text, _style);
            return;
        }
        if (!_singleLine)
            writer.Write("  "u8);
        else if (piece.Bytes.Length > 0)
            writer.Write((byte)' ');
        Escaping.WriteLines(ref writer, text, _singleLine ? "\\n"u8 : _indent);
    }

    private void WriteScopes(ref Utf8Writer writer, TextPiece piece, LogEvent logEvent)
    {
        var count = logEvent.ScopeCount;
        for (var i = 0; i < count; i++)
        {
            writer.Write(i == 0 ? piece.Bytes : " "u8);
            writer.Write("=> "u8);
            _values.Write(ref writer, logEvent.GetScope(i).Text);
        }
        if (count > 0)
            writer.Write(piece.AfterScopes);
    }

    private void WriteProperties(ref Utf8Writer writer, LogEvent logEvent, FormatScratch scratch)
    {
        var isFirst = true;
        foreach (var property in Leftovers(logEvent))
        {
            if (!isFirst)
                writer.Write((byte)' ');
            isFirst = false;
            _values.WritePair(ref writer, property, scratch);
        }
    }

    private void WriteProperty(ref Utf8Writer writer, TextPiece piece, LogEvent logEvent, FormatScratch scratch)
    {
        var list = logEvent.Properties;
        var index = PropertyNames.FindLast(list, piece.Name);
        for (var scope = _withScopes ? logEvent.ScopeCount : 0; index < 0 && --scope >= 0;)
        {
            list = logEvent.GetScope(scope).Properties;
            index = PropertyNames.FindLast(list, piece.Name);
        }
        if (index >= 0)
            _values.Write(ref writer, list[index].Value, piece.Format, scratch);
    }
}
