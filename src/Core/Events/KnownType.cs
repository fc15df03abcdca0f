using System.Diagnostics;
using System.Numerics;
using System.Runtime.CompilerServices;

namespace AsyncLog;

/// <summary>The table of the value types that <see cref="LogValue"/> holds without a box. A new type needs a <see cref="LogValueKind"/> and a line in <see cref="All"/>;
/// a floating-point type also a case in <see cref="ValueText"/>, for NaN is not a JSON number.</summary>
/// <remarks>The types that nearly all values have (<see cref="int"/>, <see cref="long"/>, <see cref="double"/>, <see cref="bool"/>) are also cases of the switches of their
/// users, which come before the table.</remarks>
internal abstract class KnownType : PlainType
{
    private const string RoundTrip = "O";

    // Searched from the beginning: the most common types first.
    private static readonly KnownType[] All =
    [
        new Number<int>(LogValueKind.Int32),
        new Number<long>(LogValueKind.Int64),
        new Number<double>(LogValueKind.Double),
        new BooleanType(),
        new Formattable<Guid>(LogValueKind.Guid, null),
        new Number<decimal>(LogValueKind.Decimal),
        new Formattable<TimeSpan>(LogValueKind.TimeSpan, "c"),
        new Formattable<DateTime>(LogValueKind.DateTime, RoundTrip),
        new Formattable<DateTimeOffset>(LogValueKind.DateTimeOffset, RoundTrip),
        new Number<float>(LogValueKind.Single),
        new CharType(),
        new Number<byte>(LogValueKind.Byte),
        new Number<short>(LogValueKind.Int16),
        new Number<uint>(LogValueKind.UInt32),
        new Number<ulong>(LogValueKind.UInt64),
        new Number<sbyte>(LogValueKind.SByte),
        new Number<ushort>(LogValueKind.UInt16),
        new Number<Int128>(LogValueKind.Int128),
        new Number<UInt128>(LogValueKind.UInt128),
        new Number<Half>(LogValueKind.Half),
        new Formattable<DateOnly>(LogValueKind.DateOnly, RoundTrip),
        new Formattable<TimeOnly>(LogValueKind.TimeOnly, RoundTrip),
    ];

    private static readonly KnownType?[] ByKind = IndexByKind();

    private KnownType(LogValueKind kind, Type type, int size, string? format, bool isNumber = false)
    {
        Debug.Assert(size <= 2 * sizeof(ulong), "A value fits two words.");
        IsNumber = isNumber;
        Kind = kind;
        Type = type;
        Size = size;
        Format = format;
    }

    public LogValueKind Kind { get; }

    public Type Type { get; }

    /// <summary>The size in bytes, 16 at most.</summary>
    public int Size { get; }

    /// <summary>The format of the text of a property; null for the type's default.</summary>
    public string? Format { get; }

    /// <summary>True if the text of every finite value is a JSON number.</summary>
    public bool IsNumber { get; }

    /// <summary>The entry of a type; null when values of the type are held by reference.</summary>
    public static KnownType? Find(Type type)
    {
        foreach (var known in All)
        {
            if (known.Type == type)
                return known;
        }
        return null;
    }

    /// <summary>The entry of a kind; null for the kinds that are not one value type.</summary>
    public static KnownType? Find(LogValueKind kind) => ByKind[(byte)kind];

    public abstract object Box(in ValueBits bits);

    /// <summary>Writes the text in the invariant culture.</summary>
    public abstract void Write(ref Utf8Writer writer, in ValueBits bits, string? format);

    private static KnownType?[] IndexByKind()
    {
        var index = new KnownType?[byte.MaxValue + 1];
        foreach (var known in All)
        {
            Debug.Assert(index[(int)known.Kind] is null, "A kind is one type.");
            index[(int)known.Kind] = known;
        }
        return index;
    }

    private class Formattable<T>(LogValueKind kind, string? format, bool isNumber = false) : KnownType(kind, typeof(T), Unsafe.SizeOf<T>(), format, isNumber)
        where T : struct, IUtf8SpanFormattable
    {
        public override ElementForm Form => Format is null ? ElementForm.Quoted : ElementForm.Other;

        public sealed override object Box(in ValueBits bits) => bits.As<T>();

        public override int TryWrite(ref byte value, ValueStyle style, Span<byte> room)
        {
            const byte Quote = (byte)'"';
            var read = Unsafe.ReadUnaligned<T>(ref value);
            int length;
            if (style != ValueStyle.Json)
                return InvariantText.TryWrite(read, default, room, out length) ? length : NotPlain;
            if (!InvariantText.TryWrite(read, Format, room[1..^1], out length))
                return NotPlain;
            room[0] = Quote;
            room[length + 1] = Quote;
            return length + 2;
        }

        public sealed override void Write(ref Utf8Writer writer, in ValueBits bits, string? format) => MessageWriter.WriteValue(ref writer, bits.As<T>(), format);
    }

    private sealed class Number<T>(LogValueKind kind) : Formattable<T>(kind, null, isNumber: true)
        where T : struct, INumberBase<T>
    {
        public override ElementForm Form => ElementForm.Same;

        public override int TryWrite(ref byte value, ValueStyle style, Span<byte> room)
        {
            var number = Unsafe.ReadUnaligned<T>(ref value);
            // One that has another form as an element is not written in a string either.
            return (style == ValueStyle.Text || T.IsFinite(number)) && InvariantText.TryWrite(number, default, room, out var written) ? written : NotPlain;
        }
    }

    private sealed class BooleanType() : KnownType(LogValueKind.Boolean, typeof(bool), sizeof(bool), null)
    {
        public override object Box(in ValueBits bits) => bits.As<bool>();

        public override int TryWrite(ref byte value, ValueStyle style, Span<byte> room)
        {
            var isJson = style == ValueStyle.Json;
            var text = Unsafe.ReadUnaligned<bool>(ref value) ? (isJson ? "true"u8 : "True"u8) : isJson ? "false"u8 : "False"u8;
            text.CopyTo(room);
            return text.Length;
        }

        public override void Write(ref Utf8Writer writer, in ValueBits bits, string? format) => MessageWriter.Write(ref writer, bits.As<bool>() ? "True"u8 : "False"u8);
    }

    private sealed class CharType() : KnownType(LogValueKind.Char, typeof(char), sizeof(char), null)
    {
        public override object Box(in ValueBits bits) => bits.As<char>();

        public override int TryWrite(ref byte value, ValueStyle style, Span<byte> room) => NotPlain;

        // May be half of a surrogate pair, whose other half comes next.
        public override void Write(ref Utf8Writer writer, in ValueBits bits, string? format) => MessageWriter.Write(ref writer, [bits.As<char>()]);
    }
}

/// <summary>The raw bytes of a value: two words that are read back as the value they were stored from.</summary>
internal struct ValueBits
{
    public ulong Low;
    public ulong High;

    /// <summary>Reads the bytes as <typeparamref name="T"/> without a check.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly T As<T>()
    {
        if (BitConverter.IsLittleEndian)
            return Unsafe.As<ulong, T>(ref Unsafe.AsRef(in Low));
        var bytes = new ValueBits { Low = FirstBytes(Low, Unsafe.SizeOf<T>()), High = High };
        return Unsafe.As<ulong, T>(ref bytes.Low);
    }

    /// <summary>The bytes of a value that was widened to 64 bits as a number, for a big-endian machine: its last bytes, moved to the front.</summary>
    internal static ulong FirstBytes(ulong widened, int size) => size < sizeof(ulong) ? widened << (8 * (sizeof(ulong) - size)) : widened;
}
