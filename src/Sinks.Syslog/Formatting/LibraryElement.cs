namespace AsyncLog;

/// <summary>The library's own element in the making.</summary>
/// <param name="values">Writes values.</param>
/// <param name="scratch">The thread's scratch.</param>
internal ref struct LibraryElement(ParameterValues values, SyslogScratch scratch)
{
    // The space before the name, the equals sign and the quote.
    private const int Decoration = 3;

    /// <summary>Parameters so far.</summary>
    public int Count { get; private set; }

    public void Add(ref WireWriter writer, scoped ReadOnlySpan<byte> opening, scoped ReadOnlySpan<byte> utf8)
    {
        var start = writer.Position;
        writer.Write(opening);
        Close(ref writer, start, opening.Length - Decoration, values.Write(ref writer, utf8));
    }

    public void Add(ref WireWriter writer, scoped ReadOnlySpan<byte> opening, string text)
    {
        var start = writer.Position;
        writer.Write(opening);
        Close(ref writer, start, opening.Length - Decoration, values.Write(ref writer, text, scratch));
    }

    public void Add(ref WireWriter writer, scoped ReadOnlySpan<byte> opening, int number)
    {
        var start = writer.Position;
        writer.Write(opening);
        writer.WriteValue(number);
        Close(ref writer, start, opening.Length - Decoration, isCut: false);
    }

    private void Close(ref WireWriter writer, int start, int nameLength, bool isCut)
    {
        writer.Write((byte)'"');
        scratch.Parameters.Add(new Parameter(SdElement.Library, start, writer.Position - start, nameLength, isCut));
        Count++;
    }
}
