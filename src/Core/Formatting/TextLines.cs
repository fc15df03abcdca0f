namespace AsyncLog;

/// <summary>Keeps the promise of the text layout: a line that does not begin with a space begins a record.</summary>
internal sealed class TextLines(TextLayout layout)
{
    private readonly byte[] _newLine = layout.NewLine;
    private readonly bool _mayBreak = MayBreak(layout.Pieces);

    /// <summary>Gives a record its one line end, and mends it.</summary>
    public void End(RecordBuffer buffer, int start)
    {
        var text = buffer.WrittenSpan[start..];
        var end = text.Length - _newLine.Length - 1;
        // Most records have a single line end already and need nothing.
        if (end >= 0 && !_mayBreak && text[0] != ' ' && text[^1] == '\n' && text[end] is not ((byte)'\n' or (byte)'\r') && (text[^2] == '\r') == (_newLine.Length == 2))
            return;
        Mend(buffer, start);
        buffer.Append(_newLine);
    }

    /// <summary>Takes line ends off the end of a record, indents lines inside it and writes a space at its start as an escape.</summary>
    /// <param name="buffer">Ends with the record.</param>
    /// <param name="start">Where the record begins.</param>
    public void Mend(RecordBuffer buffer, int start)
    {
        var text = buffer.WrittenSpan[start..];
        if (!text.IsEmpty && text[^1] is (byte)'\n' or (byte)'\r')
            buffer.Rewind(start + text.TrimEnd("\r\n"u8).Length);
        if (_mayBreak)
            Indent(buffer, start);
        if (buffer.Length == start || buffer.WrittenSpan[start] != ' ')
            return;
        buffer.Stored[start] = (byte)'\\';
        buffer.Insert(start + 1, "u0020"u8);
    }

    private static void Indent(RecordBuffer buffer, int start)
    {
        int step;
        while ((step = buffer.WrittenSpan[start..].IndexOf((byte)'\n')) >= 0)
        {
            start += step + 1;
            if (buffer.WrittenSpan[start] != ' ')
                buffer.Insert(start, "  "u8);
        }
    }

    /// <summary>Whether the template itself may put something other than a space behind a line end. An exception brings its own indent.</summary>
    private static bool MayBreak(TextPiece[] pieces)
    {
        for (var i = 0; i < pieces.Length; i++)
        {
            var piece = pieces[i];
            var endsLine = piece.Hole is TextHole.NewLine or TextHole.Exception && piece.Bytes.Length > 0;
            if (endsLine ? !IsSafeAfterLineEnd(pieces.AsSpan(i + 1)) : HasLineEnd(piece.Bytes) || HasLineEnd(piece.AfterLevel))
                return true;
        }
        return false;
    }

    private static bool HasLineEnd(ReadOnlySpan<byte> text) => text.Contains((byte)'\n');

    private static bool IsSafeAfterLineEnd(ReadOnlySpan<TextPiece> rest)
    {
        foreach (var piece in rest)
        {
            if (piece.Hole == TextHole.Literal)
                return piece.Bytes is [(byte)' ', ..];
            if (piece.Hole != TextHole.Exception || piece.Width != 0)
                return false;
        }
        return true;
    }
}
