namespace AsyncLog;

/// <summary>The arguments of a template call, each in its box.</summary>
internal static class StateArgument
{
    /// <summary>Writes an argument into a message, as <see cref="PlainValue"/> does.</summary>
    public static int TryWrite(object? argument, Span<byte> room, in MessagePart part) => argument switch
    {
        string text => PlainValue.TryWrite(text, room),
        int number => PlainValue.TryWrite(number, room, in part),
        long number => PlainValue.TryWrite(number, room, in part),
        double number => PlainValue.TryWrite(number, room, in part),
        _ => PlainValue.NotPlain,
    };
}
