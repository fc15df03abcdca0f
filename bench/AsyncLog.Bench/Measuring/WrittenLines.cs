namespace AsyncLog.Bench;

/// <summary>What a file holds: its lines, and the sum of the order numbers in them, so that a lost record cannot hide behind a repeated one.</summary>
/// <param name="Count">Lines.</param>
/// <param name="Sum">The sum of the numbers after the first <c>Order </c> of each line.</param>
internal readonly record struct WrittenLines(long Count, long Sum)
{
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
