using System.Globalization;

namespace AsyncLog.Bench;

/// <summary>What a file holds: its lines, and the sum of the order numbers in them, so that a lost record cannot hide behind a repeated one.</summary>
/// <param name="Count">Lines.</param>
/// <param name="Sum">The sum of the numbers after the first <c>Order </c> of each line.</param>
internal readonly record struct WrittenLines(long Count, long Sum)
{
    /// <summary>The lines of a stretch of <see cref="OrderNumbers"/>.</summary>
    public static WrittenLines Of(long first, long count)
    {
        var sum = 0L;
        for (var n = first; n < first + count; n++)
            sum += OrderNumbers.At(n);
        return new WrittenLines(count, sum);
    }

    public static WrittenLines Read(string path)
    {
        var count = 0L;
        var sum = 0L;
        foreach (var line in File.ReadLines(path))
        {
            count++;
            sum += OrderNumber(line);
        }

        return new WrittenLines(count, sum);
    }

    /// <summary>Throws unless a file holds exactly these lines.</summary>
    public static void Verify(string path, WrittenLines expected)
    {
        var written = Read(path);
        if (written != expected)
        {
            throw new InvalidOperationException(string.Create(
                CultureInfo.InvariantCulture,
                $"{Path.GetFileName(path)}: {written.Count} lines with sum {written.Sum}, expected {expected.Count} with sum {expected.Sum}"));
        }
    }

    public WrittenLines Plus(WrittenLines other) => new(Count + other.Count, Sum + other.Sum);

    private static long OrderNumber(string line)
    {
        const string mark = "Order ";
        var at = line.IndexOf(mark, StringComparison.Ordinal);
        if (at < 0)
            return 0;
        var number = 0L;
        for (at += mark.Length; at < line.Length && char.IsAsciiDigit(line[at]); at++)
            number = number * 10 + (line[at] - '0');
        return number;
    }
}
