namespace AsyncLog;

/// <summary>Writes the properties and scopes of a JSON record as long as they fit; the first that does not is cut if it is a string,
/// all after it are left out.</summary>
internal ref struct JsonCutProperties(JsonLayout layout, int limit, int budget)
{
    private int _left = budget;
    private bool _isFull;

    public void Append(LogEvent logEvent, RecordBuffer kept, FormatScratch scratch)
    {
        var start = kept.Length;
        var properties = logEvent.Properties;
        var isLast = new bool[properties.Length];
        PropertyNames.MarkLast(properties, isLast);
        for (var i = 0; i < properties.Length && !_isFull; i++)
        {
            if (isLast[i])
                AppendMember(properties[i], kept.Length == start, kept, scratch);
        }
        if (logEvent.MessageTemplate is { } template && !_isFull)
            AppendMember(new LogProperty("{OriginalFormat}", LogValue.FromString(template)), kept.Length == start, kept, scratch);
        Close(kept, start, "}"u8);
        start = kept.Length;
        var count = layout.CountScopes(logEvent);
        for (var i = 0; i < count && !_isFull; i++)
            AppendScope(logEvent.GetScope(i), i == 0, kept, scratch);
        Close(kept, start, "]"u8);
    }

    private void AppendMember(in LogProperty property, bool isFirst, RecordBuffer kept, FormatScratch scratch)
    {
        scratch.Piece.Reset(limit);
        var writer = new Utf8Writer(scratch.Piece);
        writer.Write(isFirst ? ",\"State\":{"u8 : ","u8);
        JsonText.WriteString(ref writer, scratch.Bounded(property.Name), EscapeStyle.Json);
        writer.Write((byte)':');
        writer.Flush();
        var value = scratch.Piece.Total;
        writer = new Utf8Writer(scratch.Piece);
        JsonText.Write(ref writer, property.Value, scratch);
        writer.Flush();
        AppendPiece(value, kept, scratch.Piece);
    }

    private void AppendScope(LogScope scope, bool isFirst, RecordBuffer kept, FormatScratch scratch)
    {
        scratch.Piece.Reset(limit);
        var writer = new Utf8Writer(scratch.Piece);
        writer.Write(isFirst ? ",\"Scopes\":["u8 : ","u8);
        writer.Flush();
        var value = scratch.Piece.Total;
        writer = new Utf8Writer(scratch.Piece);
        JsonLayout.WriteScope(ref writer, scope, scratch);
        writer.Flush();
        AppendPiece(value, kept, scratch.Piece);
    }

    /// <summary>Appends a piece whose value begins at <paramref name="value"/>; room for the closing bracket always stays.</summary>
    private void AppendPiece(long value, RecordBuffer kept, RecordBuffer piece)
    {
        var room = _left - 1;
        if (piece.Total <= room)
        {
            kept.Append(piece.WrittenSpan);
            _left -= piece.Length;
            return;
        }
        _isFull = true;
        var text = piece.WrittenSpan;
        if (value >= text.Length || text[(int)value] != '"' || value + 2 + TextEnd.Mark.Length > room)
            return;
        kept.Append(text[..(int)(value + 1)]);
        var content = text[(int)(value + 1)..];
        if (!piece.IsCut)
            content = content[..^1];
        var used = TextEnd.Append(kept, content, piece.Total - value - 2, room - (int)value - 2, EscapeStyle.Json);
        kept.Append("\""u8);
        _left -= (int)value + 2 + used;
    }

    private void Close(RecordBuffer kept, int start, ReadOnlySpan<byte> bracket)
    {
        if (kept.Length == start)
            return;
        kept.Append(bracket);
        _left--;
    }
}
