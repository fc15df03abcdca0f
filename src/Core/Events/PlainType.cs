using System.Runtime.CompilerServices;

namespace AsyncLog;

/// <summary>Writes the values of one type where they lie in memory, as a message without a format has them, or as elements of JSON. Runs no code of users.</summary>
internal abstract class PlainType
{
    /// <summary>Returned instead of a length if nothing that counts was written: <see cref="MessageValue"/> or <see cref="JsonText"/> has to write the value.</summary>
    public const int NotPlain = -1;

    /// <summary>The element of JSON of each value that is written as <see cref="ValueStyle.JsonString"/>, too.</summary>
    public virtual ElementForm Form => ElementForm.Other;

    /// <summary>Writes a value if its text is printable ASCII, and needs no escapes if it is a part of JSON.</summary>
    /// <param name="value">The first byte of the value.</param>
    /// <param name="room">At least 64 bytes.</param>
    /// <returns>Bytes written, or <see cref="NotPlain"/>.</returns>
    public abstract int TryWrite(ref byte value, ValueStyle style, Span<byte> room);

    /// <summary>Writes a text as <see cref="TryWrite(ref byte, ValueStyle, Span{byte})"/> does, with any room.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int TryWrite(string? text, ValueStyle style, Span<byte> room)
        => style != ValueStyle.Text ? TryWriteJson(text, style == ValueStyle.Json ? 1 : 0, room)
            : text is not null && text.Length <= AsciiText.MaxPlainLength && AsciiText.TryWrite(text, room) ? text.Length
            : NotPlain;

    private static int TryWriteJson(string? text, int quotes, Span<byte> room)
    {
        if (text is null || text.Length > AsciiText.MaxPlainLength || text.Length + (2 * quotes) > room.Length || !AsciiText.TryWriteJson(text, room[quotes..]))
            return NotPlain;
        if (quotes == 0)
            return text.Length;
        room[0] = (byte)'"';
        room[text.Length + 1] = (byte)'"';
        return text.Length + 2;
    }
}

/// <summary>Nullable values: a flag, and the value at a distance from it.</summary>
internal sealed class NullableType(PlainType inner, int distance) : PlainType
{
    /// <param name="value">The flag.</param>
    public override int TryWrite(ref byte value, ValueStyle style, Span<byte> room)
    {
        if (value != 0)
            return inner.TryWrite(ref Unsafe.Add(ref value, distance), style, room);
        var text = style == ValueStyle.Json ? "null"u8 : "(null)"u8;
        text.CopyTo(room);
        return text.Length;
    }
}

/// <summary>Short arrays of strings.</summary>
internal sealed class StringArrayType : PlainType
{
    public static readonly StringArrayType Instance = new();

    // Longer arrays are left to the renderers, which stop at their limits.
    private const int MaxLength = 16;

    public override int TryWrite(ref byte value, ValueStyle style, Span<byte> room) => TryWrite(Unsafe.As<byte, string?[]?>(ref value), style, room);

    public static int TryWrite(string?[]? texts, ValueStyle style, Span<byte> room)
    {
        if (texts is null || texts.Length > MaxLength)
            return NotPlain;
        var isJson = style == ValueStyle.Json;
        var separator = isJson ? ","u8 : ", "u8;
        var used = 0;
        if (isJson)
            room[used++] = (byte)'[';
        for (var i = 0; i < texts.Length; i++)
        {
            if (i > 0 && !separator.TryCopyTo(room[used..]))
                return NotPlain;
            used += i > 0 ? separator.Length : 0;
            var length = TryWrite(texts[i], style, room[used..]);
            if (length < 0)
                return NotPlain;
            used += length;
        }

        if (!isJson)
            return used;
        if (used == room.Length)
            return NotPlain;
        room[used] = (byte)']';
        return used + 1;
    }
}
