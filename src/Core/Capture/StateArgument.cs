namespace AsyncLog;

/// <summary>The arguments of a template call, each in its box.</summary>
internal static class StateArgument
{
    /// <summary>Writes an argument without a width into a message; false: it has to be captured for that.</summary>
    public static bool TryWrite(object? argument, ref Utf8Writer writer, in MessagePart part)
    {
        switch (argument)
        {
            case string text:
                MessageWriter.Write(ref writer, text);
                return true;
            case int number when part.Format is null:
                MessageWriter.WriteInteger(ref writer, number);
                return true;
            case long number when part.Format is null:
                MessageWriter.WriteInteger(ref writer, number);
                return true;
            case double number when part.FixedDigits >= 0:
                MessageWriter.WriteFixed(ref writer, number, part.FixedDigits, part.Format!);
                return true;
            default:
                return false;
        }
    }
}
