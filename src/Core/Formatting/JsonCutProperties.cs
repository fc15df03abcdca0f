namespace AsyncLog;

/// <summary>Shortens the properties and scopes of a JSON record to what fits; the first that does not is cut if it is a string, all after it are
/// left out.</summary>
internal static class JsonCutProperties
{
    private const int Quotes = 2;

    /// <param name="kept">What was rendered, or the beginning of it.</param>
    /// <param name="marks">Its members in order.</param>
    /// <param name="budget">The most bytes that may stay.</param>
    public static void Shorten(RecordBuffer kept, ReadOnlySpan<JsonMarks.Mark> marks, int budget)
    {
        var length = 0;
        byte closer = 0;
        foreach (ref readonly var mark in marks)
        {
            if (mark.End + Size(mark.Closer) > budget)
            {
                // What closes the list before, if this is the first of another one, is part of the text already.
                if (TryCut(kept, mark, budget))
                    return;
                break;
            }
            length = (int)mark.End;
            closer = mark.Closer;
        }
        kept.Rewind(length);
        Close(kept, closer);
    }

    private static bool TryCut(RecordBuffer kept, in JsonMarks.Mark mark, int budget)
    {
        var room = budget - Size(mark.Closer) - Quotes - Truncation.Mark.Length - mark.Value;
        var text = kept.WrittenSpan;
        if (room < 0 || mark.Value >= text.Length || text[(int)mark.Value] != '"')
            return false;
        var content = (int)mark.Value + 1;
        var end = Truncation.Find(text[content..(int)Math.Min(text.Length, mark.End - 1)], (int)room, EscapeStyle.Json);
        kept.Rewind(content + end);
        kept.Append(Truncation.Mark);
        kept.Append("\""u8);
        Close(kept, mark.Closer);
        return true;
    }

    private static int Size(byte closer) => closer == 0 ? 0 : 1;

    private static void Close(RecordBuffer kept, byte closer)
    {
        if (closer != 0)
            kept.Append([closer]);
    }
}
