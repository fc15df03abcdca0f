using System.Buffers.Text;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Checks;

/// <summary>A record that a caller offered.</summary>
/// <param name="Process">The number of the process.</param>
/// <param name="Caller">The caller's number.</param>
/// <param name="Number">Its running number among the caller's records.</param>
/// <param name="Level">Its level.</param>
/// <param name="Length">Its bytes, line end included.</param>
internal sealed record OfferedRecord(int Process, int Caller, int Number, LogLevel Level, int Length)
{
    public bool IsAccepted { get; set; }

    /// <summary>True if a flush that ended well said that it is there.</summary>
    public bool IsPromised { get; set; }

    /// <summary>True if a restart may offer it again, after later ones that were taken: a destination rejected it, or a file with it could not be deleted.</summary>
    public bool MayComeLate { get; set; }
}

/// <summary>Kind of a line that was found at the destination.</summary>
internal enum LineKind
{
    Record,
    Notice,
    Header,

    /// <summary>The beginning of one of the others.</summary>
    Fragment,
    Garbage,
}

/// <summary>All records of a run and their bytes: a line that names the record and whose every byte follows from it.</summary>
internal sealed class OfferedRecords
{
    public const int ShortestRecord = 10;
    public const string Header = "HEADER;";
    private const int Digits = 6;
    private const int Head = 1 + Digits + 1;
    private const int Alphabet = 26;
    private static readonly byte[] LevelLetters = "TDIWEC"u8.ToArray();

    // The alphabet over and over, so that a record is a copy of a part.
    private static readonly byte[] Letters = [.. Enumerable.Range(0, 1024).Select(static place => (byte)('a' + (place % Alphabet)))];
    private readonly List<OfferedRecord> _records = [];

    public int Count => _records.Count;

    public OfferedRecord this[int id] => _records[id];

    public int Add(OfferedRecord record)
    {
        _records.Add(record);
        return _records.Count - 1;
    }

    /// <summary>The bytes of a record.</summary>
    public byte[] BytesOf(int id)
    {
        var bytes = new byte[_records[id].Length];
        Write(id, bytes);
        return bytes;
    }

    /// <summary>The kind of a line, without its line end.</summary>
    /// <param name="line">The bytes.</param>
    /// <param name="id">The record that it is.</param>
    public LineKind Read(ReadOnlySpan<byte> line, out int id)
    {
        id = -1;
        if (line.IsEmpty)
            return LineKind.Garbage;
        if (line[0] == (byte)'!')
            return line[^1] == (byte)';' && line.IndexOf((byte)' ') > 0 && line.Count((byte)'!') == 1 ? LineKind.Notice : KindOfPart(line);
        if (line[0] == (byte)'H')
            return line.SequenceEqual("HEADER;"u8) ? LineKind.Header : "HEADER;"u8.StartsWith(line) ? LineKind.Fragment : LineKind.Garbage;
        if (line[0] != (byte)'#')
            return LineKind.Garbage;
        if (line.Length <= Digits)
            return line[1..].IndexOfAnyExceptInRange((byte)'0', (byte)'9') < 0 ? LineKind.Fragment : LineKind.Garbage;
        if (!Utf8Parser.TryParse(line.Slice(1, Digits), out int found, out var used) || used != Digits || found >= _records.Count)
            return LineKind.Garbage;
        Span<byte> whole = stackalloc byte[_records[found].Length];
        Write(found, whole);
        if (!whole.StartsWith(line))
            return LineKind.Garbage;
        id = found;
        return line.Length == whole.Length - 1 ? LineKind.Record : LineKind.Fragment;
    }

    /// <summary>Adds the whole records that lie anywhere in some bytes.</summary>
    public void Find(ReadOnlySpan<byte> bytes, HashSet<int> found)
    {
        for (int at; (at = bytes.IndexOf((byte)'#')) >= 0; bytes = bytes[(at + 1)..])
        {
            var rest = bytes[at..];
            var end = rest.IndexOf((byte)'\n');
            if (end > 0 && Read(rest[..end], out var id) == LineKind.Record)
                found.Add(id);
        }
    }

    private static LineKind KindOfPart(ReadOnlySpan<byte> line)
        => line[1..].IndexOfAny((byte)'!', (byte)';', (byte)'#') < 0 ? LineKind.Fragment : LineKind.Garbage;

    private void Write(int id, Span<byte> bytes)
    {
        bytes[0] = (byte)'#';
        Utf8Formatter.TryFormat(id, bytes[1..], out _, new('D', Digits));
        bytes[Head - 1] = LevelLetters[(int)_records[id].Level];
        Letters.AsSpan((id + Head) % Alphabet, bytes.Length - 2 - Head).CopyTo(bytes[Head..]);
        bytes[^2] = (byte)';';
        bytes[^1] = (byte)'\n';
    }
}
