using System.Buffers;
using System.Globalization;
using System.Text;

namespace AsyncLog;

/// <summary>Writes names of parameters (RFC 5424 §6.3.3) and keeps them apart within one element.</summary>
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

    /// <summary>Gives the name at the end of the record another end, <c>~2</c>, <c>~3</c>, …, until no earlier name of the element is the same.</summary>
    /// <param name="writer">The record; the name reaches from <paramref name="nameStart"/> to its end.</param>
    /// <param name="nameStart">Where the name begins.</param>
    /// <param name="earlier">All parameters so far.</param>
    /// <param name="element">The element that counts.</param>
    public static void MakeUnique(ref WireWriter writer, int nameStart, ReadOnlySpan<Parameter> earlier, SdElement element)
    {
        var length = writer.Position - nameStart;
        Span<byte> end = stackalloc byte[Longest];
        for (var number = 2; IsTaken(writer.Written, nameStart, earlier, element); number++)
        {
            end[0] = (byte)'~';
            number.TryFormat(end[1..], out var digits, provider: CultureInfo.InvariantCulture);
            writer.Position = nameStart + Math.Min(length, Longest - 1 - digits);
            writer.Write(end[..(1 + digits)]);
        }
    }

    private static bool IsTaken(ReadOnlySpan<byte> record, int nameStart, ReadOnlySpan<Parameter> earlier, SdElement element)
    {
        var name = record[nameStart..];
        foreach (ref readonly var parameter in earlier)
        {
            if (parameter.Element == element && record.Slice(parameter.Start + 1, parameter.NameLength).SequenceEqual(name))
                return true;
        }

        return false;
    }
}
