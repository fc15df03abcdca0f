namespace AsyncLog;

/// <summary>Writes one record of the JSON layouts: the text, the event, and the members that fit if the record is truncated.</summary>
internal ref struct JsonWriter
{
    private const int MaxEscapeLength = 6;
    private const int Quotes = 2;

    /// <summary>The text. A field, because its methods change it.</summary>
    public Utf8Writer Text;

    private int _budget;
    private long _valueStart;
    private int _end;
    private byte _closer;
    private int _final;

    public JsonWriter(RecordBuffer output, LogEvent logEvent, FormatScratch scratch)
    {
        Text = new Utf8Writer(output);
        Event = logEvent;
        Scratch = scratch;
    }

    public readonly LogEvent Event { get; }

    public readonly FormatScratch Scratch { get; }

    /// <summary>True if the record is longer than its limit.</summary>
    public bool IsTruncating { get; private set; }

    // The maximum number of bytes of a name from the application.
    private int MaxNameLength { readonly get; set; } = int.MaxValue;

    /// <summary>Makes the writer keep only members that end within the budget. Of the first that does not, a string is shortened; all after it are left out.</summary>
    /// <param name="maxNameLength">The maximum number of bytes of a name from the application.</param>
    /// <param name="budget">The maximum number of bytes of the output, including the bracket that closes the last member's list.</param>
    public void Truncate(int maxNameLength, int budget = int.MaxValue)
    {
        IsTruncating = true;
        MaxNameLength = maxNameLength;
        _budget = budget;
        _final = -1;
    }

    /// <summary>Marks where the value of a member begins, so that a string can be shortened.</summary>
    public void BeginValue()
    {
        if (IsTruncating)
            _valueStart = Text.Position;
    }

    /// <summary>Marks the end of a member.</summary>
    /// <param name="closer">The bracket that closes the list it is in, or 0.</param>
    public void EndMember(byte closer)
    {
        if (!IsTruncating || _final >= 0)
            return;
        if (Text.Position + SizeOf(closer) > _budget)
        {
            LeaveOut(closer);
            return;
        }
        _end = (int)Text.Position;
        _closer = closer;
    }

    /// <summary>Flushes the text, without the members that do not fit.</summary>
    public void End()
    {
        Text.Flush();
        if (IsTruncating && _final >= 0)
            Text.Output.Rewind(_final);
    }

    /// <summary>Writes a string from the application, with quotes.</summary>
    public void WriteName(string name)
    {
        if (name.Length <= MaxNameLength / MaxEscapeLength)
        {
            JsonText.WriteString(ref Text, Scratch.Bounded(name), EscapeStyle.Json);
            return;
        }
        Scratch.Part.Reset(MaxNameLength);
        var part = new Utf8Writer(Scratch.Part);
        Escaping.Write(ref part, Scratch.Bounded(name), EscapeStyle.Json);
        part.Flush();
        Text.Write((byte)'"');
        Truncation.Write(ref Text, Scratch.Part.WrittenSpan, Scratch.Part.Total, MaxNameLength, EscapeStyle.Json);
        Text.Write((byte)'"');
    }

    private static int SizeOf(byte closer) => closer == 0 ? 0 : 1;

    // End removes everything that is written after it.
    private void LeaveOut(byte closer)
    {
        Text.Flush();
        var output = Text.Output;
        var text = output.WrittenSpan;
        var room = _budget - SizeOf(closer) - Quotes - Truncation.Mark.Length - _valueStart;
        if (room >= 0 && _valueStart < text.Length && text[(int)_valueStart] == '"')
        {
            var content = (int)_valueStart + 1;
            var last = (int)Math.Min(text.Length, Text.Position - 1);
            output.Rewind(content + Truncation.Find(text[content..last], (int)room, EscapeStyle.Json));
            output.Append(Truncation.Mark);
            output.Append("\""u8);
        }
        else
        {
            output.Rewind(_end);
            closer = _closer;
        }
        if (closer != 0)
            output.Append([closer]);
        _final = output.Length;
        Text = new Utf8Writer(output);
    }
}
