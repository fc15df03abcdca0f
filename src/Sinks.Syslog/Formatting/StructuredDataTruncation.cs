using System.Globalization;
using System.Runtime.InteropServices;
using System.Text;

namespace AsyncLog;

/// <summary>The elements of structured data in the order in which they stand; the worker inserts the number before the first.</summary>
internal enum SdElement : byte
{
    /// <summary><c>opentelemetry</c>.</summary>
    Trace,

    /// <summary>The library's own fields.</summary>
    Library,

    /// <summary>Properties and scopes.</summary>
    Property,
}

/// <summary>One rendered parameter, the space before its name included.</summary>
/// <param name="Length">Its bytes.</param>
/// <param name="NameLength">The bytes of its name, which begins after the space.</param>
/// <param name="IsTruncated">True if its value was truncated.</param>
/// <param name="IsKept">True if a truncated record keeps it.</param>
internal readonly record struct Parameter(SdElement Element, int Start, int Length, int NameLength, bool IsTruncated = false, bool IsKept = true)
{
    /// <summary>The most bytes of a name.</summary>
    public const int LongestName = 32;
}

/// <summary>The room for structured data in a record that has to be truncated, while its parameters are taken in order.</summary>
/// <param name="Budget">Bytes for structured data.</param>
internal record struct StructuredDataBudget(int Budget)
{
    /// <summary>Bytes of the parameters kept so far and of their elements.</summary>
    public int Used { get; set; }

    /// <summary>Number of parameters that are not kept.</summary>
    public int Dropped { get; set; }

    /// <summary>The element opened last; -1: none.</summary>
    public int Opened { get; set; } = -1;

    /// <summary>True if the library's element has a parameter.</summary>
    public bool HasLibrary { get; set; }
}

/// <summary>Shortens structured data: leaves out whole parameters, and writes their number in the library's element.</summary>
internal sealed class StructuredDataTruncation(SyslogLayout layout)
{
    private const int Brackets = 2;
    private const int MaxDropped = 9999;

    private readonly byte[][] _ids = [.. new[] { "opentelemetry", layout.LibraryId, layout.PropertyId }.Select(Encoding.ASCII.GetBytes)];

    /// <summary>The most bytes of <see cref="WriteDropped"/>.</summary>
    public int LongestDropped => _ids[(int)SdElement.Library].Length + Brackets + DroppedLength;

    private static int DroppedLength => " dropped=\"9999\"".Length;

    /// <summary>Decides which of the parameters so far are kept.</summary>
    /// <param name="parameters">All parameters in order; marked afterwards.</param>
    /// <param name="room">The room for structured data; continues with the parameters that follow.</param>
    public void Decide(List<Parameter> parameters, ref StructuredDataBudget room)
    {
        foreach (ref var parameter in CollectionsMarshal.AsSpan(parameters))
        {
            if (!TryKeep(ref room, parameter.Element, parameter.Length))
                parameter = parameter with { IsKept = false };
        }
    }

    /// <summary>Returns true if a parameter of this length would be kept.</summary>
    public bool Fits(in StructuredDataBudget room, SdElement element, int length)
    {
        // Elements come one after the other, so the one opened last is the only one that can be open already.
        var opening = room.Opened == (int)element ? 0 : _ids[(int)element].Length + Brackets;
        var reserve = DroppedLength + (element == SdElement.Library || room.HasLibrary ? 0 : _ids[(int)SdElement.Library].Length + Brackets);
        return room.Used + length + opening + reserve <= room.Budget;
    }

    /// <summary>Takes the room for the next parameter, or counts it as dropped.</summary>
    public bool TryKeep(ref StructuredDataBudget room, SdElement element, int length)
    {
        if (!Fits(room, element, length))
        {
            room.Dropped++;
            return false;
        }

        room.Used += length + (room.Opened == (int)element ? 0 : _ids[(int)element].Length + Brackets);
        room.Opened = (int)element;
        room.HasLibrary |= element == SdElement.Library;
        return true;
    }

    /// <summary>Writes the kept part of a record's structured data.</summary>
    /// <param name="destination">As long as the structured data was, and <see cref="LongestDropped"/>.</param>
    /// <returns>The bytes written; 0 for nil.</returns>
    public int Write(ReadOnlySpan<byte> record, List<Parameter> parameters, int dropped, Span<byte> destination)
    {
        var at = 0;
        for (var element = SdElement.Trace; element <= SdElement.Property; element++)
        {
            var start = at;
            foreach (ref readonly var parameter in CollectionsMarshal.AsSpan(parameters))
            {
                if (parameter.Element != element || !parameter.IsKept)
                    continue;
                if (at == start)
                    at = Open(destination, at, element);
                at = Append(destination, at, record.Slice(parameter.Start, parameter.Length));
            }

            if (element == SdElement.Library && dropped > 0)
            {
                if (at == start)
                    at = Open(destination, at, element);
                at = AppendDropped(destination, at, dropped);
            }

            if (at > start)
                destination[at++] = (byte)']';
        }

        return at;
    }

    /// <summary>Writes the library's element with only the number of missing parameters.</summary>
    public int WriteDropped(Span<byte> destination, int dropped)
    {
        var at = AppendDropped(destination, Open(destination, 0, SdElement.Library), dropped);
        destination[at++] = (byte)']';
        return at;
    }

    private int Open(Span<byte> destination, int at, SdElement element)
    {
        destination[at++] = (byte)'[';
        return Append(destination, at, _ids[(int)element]);
    }

    private static int AppendDropped(Span<byte> destination, int at, int dropped)
    {
        at = Append(destination, at, " dropped=\""u8);
        Math.Min(dropped, MaxDropped).TryFormat(destination[at..], out var digits, provider: CultureInfo.InvariantCulture);
        at += digits;
        destination[at++] = (byte)'"';
        return at;
    }

    private static int Append(Span<byte> destination, int at, ReadOnlySpan<byte> bytes)
    {
        bytes.CopyTo(destination[at..]);
        return at + bytes.Length;
    }
}
