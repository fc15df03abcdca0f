namespace AsyncLog.Bench;

/// <summary>Counts the log records of a request, and adds up the order numbers in their attributes (opentelemetry-proto, logs/v1).</summary>
internal static class OtlpRecords
{
    private const int ResourceLogs = 1;
    private const int ScopeLogs = 2;
    private const int LogRecord = 2;
    private const int Attribute = 6;
    private const int Key = 1;
    private const int Value = 2;
    private const int IntValue = 3;

    /// <exception cref="FormatException">It is no such request.</exception>
    public static WrittenLines In(ReadOnlySpan<byte> request)
    {
        var found = default(WrittenLines);
        for (var fields = new ProtoFields(request); fields.Next();)
        {
            if (fields.Number != ResourceLogs)
                continue;
            for (var resource = new ProtoFields(fields.Bytes); resource.Next();)
            {
                if (resource.Number == ScopeLogs)
                    found = found.Plus(OfScope(resource.Bytes));
            }
        }

        return found;
    }

    private static WrittenLines OfScope(ReadOnlySpan<byte> scope)
    {
        var found = default(WrittenLines);
        for (var fields = new ProtoFields(scope); fields.Next();)
        {
            if (fields.Number == LogRecord)
                found = found.Plus(new WrittenLines(1, NumberOf(fields.Bytes)));
        }

        return found;
    }

    private static long NumberOf(ReadOnlySpan<byte> record)
    {
        for (var fields = new ProtoFields(record); fields.Next();)
        {
            if (fields.Number == Attribute && OrderNumber(fields.Bytes) is { } number)
                return number;
        }

        return 0;
    }

    private static long? OrderNumber(ReadOnlySpan<byte> attribute)
    {
        var isOrder = false;
        for (var fields = new ProtoFields(attribute); fields.Next();)
        {
            if (fields.Number == Key)
                isOrder = fields.Bytes.SequenceEqual("OrderId"u8);
            else if (fields.Number == Value && isOrder)
                return IntOf(fields.Bytes);
        }

        return null;
    }

    private static long? IntOf(ReadOnlySpan<byte> value)
    {
        for (var fields = new ProtoFields(value); fields.Next();)
        {
            if (fields.Number == IntValue)
                return (long)fields.Varint;
        }

        return null;
    }
}
