namespace AsyncLog;

/// <summary>Finds where a rune ends in UTF-8 that was cut at any byte.</summary>
internal static class Utf8Boundary
{
    /// <summary>The length without the rune that the cut split.</summary>
    public static int WholeRunes(ReadOnlySpan<byte> utf8)
    {
        var lead = utf8.Length - 1;
        while (lead >= 0 && utf8.Length - lead < 4 && (utf8[lead] & 0xC0) == 0x80)
            lead--;
        if (lead < 0)
            return 0;
        var size = utf8[lead] switch { < 0xC0 => 1, < 0xE0 => 2, < 0xF0 => 3, _ => 4 };
        return lead + size <= utf8.Length ? utf8.Length : lead;
    }
}
