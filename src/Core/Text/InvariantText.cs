using System.Globalization;
using System.Runtime.CompilerServices;

namespace AsyncLog;

/// <summary>Writes values of the framework's types as .NET does in the invariant culture, and the types that are slow in .NET without it.</summary>
internal static class InvariantText
{
    /// <summary>Writes the text; false, and nothing that counts, if the destination is too short.</summary>
    /// <param name="format">A format of the type; empty for its default.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool TryWrite<T>(T value, scoped ReadOnlySpan<char> format, Span<byte> destination, out int written)
        where T : IUtf8SpanFormattable
        // The comparisons fold to constants for each value type.
        => (format.IsEmpty && TryWritePlain(value, destination, out written)) || value.TryFormat(destination, out written, format, CultureInfo.InvariantCulture);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool TryWritePlain<T>(T value, Span<byte> destination, out int written)
    {
        if (typeof(T) == typeof(double))
            return PlainNumber.TryWrite(Unsafe.As<T, double>(ref value), destination, out written);
        if (typeof(T) == typeof(float))
            return PlainNumber.TryWrite(Unsafe.As<T, float>(ref value), destination, out written);
        if (typeof(T) == typeof(decimal))
            return PlainNumber.TryWrite(Unsafe.As<T, decimal>(ref value), destination, out written);
        if (typeof(T) == typeof(DateOnly))
            return TryWrite(Unsafe.As<T, DateOnly>(ref value), destination, out written);
        if (typeof(T) == typeof(TimeOnly))
            return TryWrite(Unsafe.As<T, TimeOnly>(ref value), destination, out written);
        written = 0;
        return false;
    }

    // MM/dd/yyyy
    private static bool TryWrite(DateOnly value, Span<byte> destination, out int written)
    {
        const int Length = 10;
        written = 0;
        if (destination.Length < Length)
            return false;
        var (year, month, day) = value;
        Digits.Fill((uint)month, destination[..2]);
        destination[2] = (byte)'/';
        Digits.Fill((uint)day, destination[3..5]);
        destination[5] = (byte)'/';
        Digits.Fill((uint)year, destination[6..Length]);
        written = Length;
        return true;
    }

    // HH:mm
    private static bool TryWrite(TimeOnly value, Span<byte> destination, out int written)
    {
        const int Length = 5;
        written = 0;
        if (destination.Length < Length)
            return false;
        Digits.Fill((uint)value.Hour, destination[..2]);
        destination[2] = (byte)':';
        Digits.Fill((uint)value.Minute, destination[3..Length]);
        written = Length;
        return true;
    }
}
