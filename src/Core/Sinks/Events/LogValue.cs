using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;

namespace AsyncLog;

/// <summary>A captured property value: a small union that holds primitives, dates, <see cref="Guid"/>, <see cref="decimal"/> and enums
/// without a box, and anything else by reference. Valid only during the call that captured it.</summary>
[StructLayout(LayoutKind.Auto)]
public readonly struct LogValue
{
    private readonly object? _reference;
    private readonly ulong _low;
    private readonly ulong _high;
    private readonly LogValueKind _kind;

    private LogValue(LogValueKind kind, ulong low, ulong high, object? reference)
    {
        _kind = kind;
        _low = low;
        _high = high;
        _reference = reference;
    }

    /// <summary>What is held.</summary>
    public LogValueKind Kind => _kind;

    /// <summary>The held string, or null when <see cref="Kind"/> is not <see cref="LogValueKind.String"/>.</summary>
    public string? String => _kind == LogValueKind.String ? Unsafe.As<string?>(_reference) : null;

    /// <summary>The held object, or null when <see cref="Kind"/> is not <see cref="LogValueKind.Object"/>.</summary>
    public object? Object => _kind == LogValueKind.Object ? _reference : null;

    /// <summary>Names of the held enum; only for <see cref="LogValueKind.Enum"/>.</summary>
    internal EnumNames Names => Unsafe.As<EnumNames>(_reference!);

    /// <summary>The held enum as the 64 bits of its underlying value, sign-extended; only for <see cref="LogValueKind.Enum"/>.</summary>
    internal ulong EnumBits => _low;

    /// <summary>Reads the held value as the type that <see cref="Kind"/> names: <c>value.Get&lt;int&gt;()</c> for <see cref="LogValueKind.Int32"/>.</summary>
    /// <typeparam name="T">The type named by <see cref="Kind"/>.</typeparam>
    /// <exception cref="InvalidOperationException"><typeparamref name="T"/> is not the held type.</exception>
    public T Get<T>()
        where T : unmanaged
        => _kind == KindOf<T>() && _kind != LogValueKind.Object
            ? Raw<T>()
            : throw new InvalidOperationException($"The value is a {_kind}, not a {typeof(T).Name}.");

    /// <summary>The held value as an object; boxes what is not a reference. An enum comes back as its own type.</summary>
    public object? ToObject() => _kind switch
    {
        LogValueKind.Null => null,
        LogValueKind.Boolean => Raw<bool>(),
        LogValueKind.Char => Raw<char>(),
        LogValueKind.SByte => Raw<sbyte>(),
        LogValueKind.Byte => Raw<byte>(),
        LogValueKind.Int16 => Raw<short>(),
        LogValueKind.UInt16 => Raw<ushort>(),
        LogValueKind.Int32 => Raw<int>(),
        LogValueKind.UInt32 => Raw<uint>(),
        LogValueKind.Int64 => Raw<long>(),
        LogValueKind.UInt64 => Raw<ulong>(),
        LogValueKind.Int128 => Raw<Int128>(),
        LogValueKind.UInt128 => Raw<UInt128>(),
        LogValueKind.Half => Raw<Half>(),
        LogValueKind.Single => Raw<float>(),
        LogValueKind.Double => Raw<double>(),
        LogValueKind.Decimal => Raw<decimal>(),
        LogValueKind.Guid => Raw<Guid>(),
        LogValueKind.DateTime => Raw<DateTime>(),
        LogValueKind.DateTimeOffset => Raw<DateTimeOffset>(),
        LogValueKind.DateOnly => Raw<DateOnly>(),
        LogValueKind.TimeOnly => Raw<TimeOnly>(),
        LogValueKind.TimeSpan => Raw<TimeSpan>(),
        LogValueKind.Enum => Names.ToObject(_low),
        _ => _reference,
    };

    /// <summary>The text of the value in the invariant culture, as the library's own layouts write it: dates in the format "O", collections as JSON, <c>byte[]</c> as base64,
    /// null as nothing, <c>&lt;error: TypeName&gt;</c> where the value's type throws. Allocates; <see cref="LogEvent.GetText(in LogValue, int)"/> does not.</summary>
    public override string ToString()
    {
        if (_kind == LogValueKind.String)
            return String!;
        var scratch = new FormatScratch();
        var output = scratch.NewValue();
        ValueText.Append(this, output, scratch);
        return Encoding.UTF8.GetString(output.WrittenRunes);
    }

    /// <summary>Captures a value of a known type; no box for the types <see cref="LogValueKind"/> names.</summary>
    /// <typeparam name="T">The static type of the value.</typeparam>
    /// <param name="value">The value.</param>
    public static LogValue From<T>(T value)
    {
        if (!typeof(T).IsValueType)
            return FromObject(value);
        var kind = KindOf<T>();
        if (kind == LogValueKind.Enum)
            return FromEnum(EnumNames.Typed<T>.Names,
                EnumNames.Bits(ref Unsafe.As<T, byte>(ref value), Unsafe.SizeOf<T>(), EnumNames.Typed<T>.Names.IsSigned));
        if (kind == LogValueKind.Object)
            return FromObject(value);
        return FromRaw(kind, ref Unsafe.As<T, byte>(ref value), Unsafe.SizeOf<T>());
    }

    /// <summary>Captures a value of any type; boxed values of the types <see cref="LogValueKind"/> names are taken out of their box.</summary>
    /// <param name="value">The value, or null.</param>
    public static LogValue FromObject(object? value)
    {
        if (value is null)
            return default;
        if (value is string text)
            return new LogValue(LogValueKind.String, 0, 0, text);
        return BoxedValues.Read(value, out var result) ? result : new LogValue(LogValueKind.Object, 0, 0, value);
    }

    /// <summary>Captures a string.</summary>
    internal static LogValue FromString(string? value)
        => value is null ? default : new LogValue(LogValueKind.String, 0, 0, value);

    /// <summary>Captures an enum by its names and sign-extended bits.</summary>
    internal static LogValue FromEnum(EnumNames names, ulong bits) => new(LogValueKind.Enum, bits, 0, names);

    /// <summary>Captures <paramref name="size"/> raw bytes (at most 16) of the type that <paramref name="kind"/> names.</summary>
    internal static LogValue FromRaw(LogValueKind kind, ref byte source, int size)
    {
        switch (size)
        {
            case 1: return new LogValue(kind, source, 0, null);
            case 2: return new LogValue(kind, Unsafe.ReadUnaligned<ushort>(ref source), 0, null);
            case 4: return new LogValue(kind, Unsafe.ReadUnaligned<uint>(ref source), 0, null);
            case 8: return new LogValue(kind, Unsafe.ReadUnaligned<ulong>(ref source), 0, null);
            default:
                return new LogValue(kind, Unsafe.ReadUnaligned<ulong>(ref source),
                    Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref source, 8)), null);
        }
    }

    /// <summary>Writes a value of eight bytes or less. The target has to be null: its reference is not cleared.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static void Write(ref LogValue target, LogValueKind kind, ulong bits)
    {
        Debug.Assert(target._kind == LogValueKind.Null && target._reference is null, "Only over a value that is null.");
        Unsafe.AsRef(in target._low) = bits;
        Unsafe.AsRef(in target._kind) = kind;
    }

    /// <summary>Writes a string. The target has to be null: its bits are not cleared.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static void Write(ref LogValue target, string? text)
    {
        Debug.Assert(target._kind == LogValueKind.Null && target._reference is null, "Only over a value that is null.");
        if (text is null)
            return;
        Unsafe.AsRef(in target._reference) = text;
        Unsafe.AsRef(in target._kind) = LogValueKind.String;
    }

    /// <summary>Reads the held bytes as <typeparamref name="T"/> without a check; the caller has looked at <see cref="Kind"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal T Raw<T>()
    {
        // Two words on the stack, read back as the value that was stored from them.
        Bits bits;
        bits.Low = BitConverter.IsLittleEndian ? _low : FirstBytes(_low, Unsafe.SizeOf<T>());
        bits.High = _high;
        return Unsafe.As<Bits, T>(ref bits);
    }

    /// <summary>A short value was widened to 64 bits as a number; on a big-endian machine its bytes are the last of them, and are wanted first.</summary>
    internal static ulong FirstBytes(ulong widened, int size) => size < sizeof(ulong) ? widened << (8 * (sizeof(ulong) - size)) : widened;

    /// <summary>The kind that captures <typeparamref name="T"/>; folds to a constant for value types.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static LogValueKind KindOf<T>()
    {
        if (typeof(T) == typeof(int)) return LogValueKind.Int32;
        if (typeof(T) == typeof(long)) return LogValueKind.Int64;
        if (typeof(T) == typeof(double)) return LogValueKind.Double;
        if (typeof(T) == typeof(bool)) return LogValueKind.Boolean;
        if (typeof(T) == typeof(Guid)) return LogValueKind.Guid;
        if (typeof(T) == typeof(decimal)) return LogValueKind.Decimal;
        if (typeof(T) == typeof(TimeSpan)) return LogValueKind.TimeSpan;
        if (typeof(T) == typeof(DateTime)) return LogValueKind.DateTime;
        if (typeof(T) == typeof(DateTimeOffset)) return LogValueKind.DateTimeOffset;
        if (typeof(T) == typeof(float)) return LogValueKind.Single;
        if (typeof(T) == typeof(char)) return LogValueKind.Char;
        if (typeof(T) == typeof(byte)) return LogValueKind.Byte;
        if (typeof(T) == typeof(short)) return LogValueKind.Int16;
        if (typeof(T) == typeof(uint)) return LogValueKind.UInt32;
        if (typeof(T) == typeof(ulong)) return LogValueKind.UInt64;
        if (typeof(T) == typeof(sbyte)) return LogValueKind.SByte;
        if (typeof(T) == typeof(ushort)) return LogValueKind.UInt16;
        if (typeof(T) == typeof(Int128)) return LogValueKind.Int128;
        if (typeof(T) == typeof(UInt128)) return LogValueKind.UInt128;
        if (typeof(T) == typeof(Half)) return LogValueKind.Half;
        if (typeof(T) == typeof(DateOnly)) return LogValueKind.DateOnly;
        if (typeof(T) == typeof(TimeOnly)) return LogValueKind.TimeOnly;
        return typeof(T).IsEnum ? LogValueKind.Enum : LogValueKind.Object;
    }

    private struct Bits
    {
        public ulong Low;
        public ulong High;
    }
}
