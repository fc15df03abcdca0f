namespace AsyncLog.Tests;

/// <summary>Looks at the end of the file that is at the path now, as somebody with <c>tail -F</c> does.</summary>
internal sealed class TailProbe(string path)
{
    private static readonly byte[] Prefix = System.Text.Encoding.ASCII.GetBytes(EnduranceRecord.Category + ": ");
    private readonly byte[] _buffer = new byte[4096];

    /// <summary>Whether a record is there that was logged after the marks were taken.</summary>
    public bool HasPassed(long[] marks)
    {
        try
        {
            using var file = File.OpenHandle(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
            var read = RandomAccess.Read(file, _buffer, Math.Max(0, RandomAccess.GetLength(file) - _buffer.Length));
            return LastOf(_buffer.AsSpan(0, read)) is { } last && last.Sequence > marks[last.Thread];
        }
        catch (Exception exception) when (exception is FileNotFoundException or DirectoryNotFoundException)
        {
            // Not there yet, which is what is asked.
            return false;
        }
    }

    private static EnduranceRecord? LastOf(ReadOnlySpan<byte> bytes)
    {
        for (var end = bytes.LastIndexOf((byte)'\n'); end > 0; end = bytes.LastIndexOf((byte)'\n'))
        {
            bytes = bytes[..end];
            var line = bytes[(bytes.LastIndexOf((byte)'\n') + 1)..];
            if (line.StartsWith(Prefix) && EnduranceRecord.Parse(line[Prefix.Length..]) is { } record)
                return record;
        }

        return null;
    }
}
