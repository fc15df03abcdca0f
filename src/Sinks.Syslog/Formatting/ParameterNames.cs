using System.Buffers;
using System.Text;

namespace AsyncLog;

/// <summary>Writes names of parameters (RFC 5424 §6.3.3).</summary>
internal static class ParameterNames
{
    /// <summary>The most bytes of a name.</summary>
    public const int Longest = 32;

    private static readonly SearchValues<char> Allowed = SearchValues.Create(
        [.. Enumerable.Range('!', '~' - '!' + 1).Select(static value => (char)value).Except(['=', ']', '"'])]);

    /// <summary>Writes a name: each other character becomes one <c>_</c>, and what is too long is cut.</summary>
    /// <returns>Whether it had to be changed.</returns>
    public static bool Write(ref WireWriter writer, string name)
    {
        var span = writer.GetSpan(Longest);
        if (name.Length is > 0 and <= Longest && !name.AsSpan().ContainsAnyExcept(Allowed)
            && Ascii.FromUtf16(name, span, out var written) == OperationStatus.Done)
        {
            writer.Advance(written);
            return false;
        }

        var length = 0;
        foreach (var rune in name.EnumerateRunes())
        {
            if (length == Longest)
                break;
            span[length++] = rune.IsAscii && Allowed.Contains((char)rune.Value) ? (byte)rune.Value : (byte)'_';
        }

        if (length == 0)
            span[length++] = (byte)'_';
        writer.Advance(length);
        return true;
    }
}
