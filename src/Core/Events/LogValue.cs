using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;

namespace AsyncLog.Sinks;

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

    /// <summary>The type of the held value.</summary>
    public LogValueKind Kind => _kind;

    /// <summary>The held string, or null when <see cref="Kind"/> is not <see cref="LogValueKind.String"/>.</summary>
    public string? String => _kind == LogValueKind.String ? Unsafe.As<string?>(_reference) : null;

    /// <summary>The held object, or null when <see cref="Kind"/> is not <see cref="LogValueKind.Object"/>.</summary>
    public object? Object => _kind == LogValueKind.Object ? _reference : null;

    /// <summary>The compact JSON of the object as UTF-8, or empty when <see cref="Kind"/> is not <see cref="LogValueKind.Json"/>. Valid as long as the value.</summary>
    public ReadOnlySpan<byte> Json => _kind == LogValueKind.Json ? Unsafe.As<ObjectJson>(_reference!).Utf8 : default;

    /// <summary>Names of the held enum; only for <see cref="LogValueKind.Enum"/>.</summary>
    internal EnumNames Names => Unsafe.As<EnumNames>(_reference!);

    /// <summary>The held enum as the 64 bits of its underlying value, sign-extended; only for <see cref="LogValueKind.Enum"/>.</summary>
    internal ulong EnumBits => _low;

    /// <summary>The raw bytes of the held value, for <see cref="KnownType"/>.</summary>
    internal ValueBits Bits
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => new() { Low = _low, High = _high };
    }

    /// <summary>Reads the held value as the type that <see cref="Kind"/> names: <c>value.Get&lt;int&gt;()</c> for <see cref="LogValueKind.Int32"/>.</summary>
    /// <typeparam name="T">The type named by <see cref="Kind"/>.</typeparam>
    /// <exception cref="InvalidOperationException"><typeparamref name="T"/> is not the held type.</exception>
    public T Get<T>()
        where T : unmanaged
        => _kind == KindOf<T>() && _kind != LogValueKind.Object
            ? Raw<T>()
            : throw new InvalidOperationException($"The value is a {_kind}, not a {typeof(T).Name}.");

    /// <summary>The held value as an object; a value type is boxed, an enum as its own type, JSON as the object that was serialized.</summary>
    public object? ToObject() => _kind switch
    {
        LogValueKind.Null => null,
        LogValueKind.Int32 => Raw<int>(),
        LogValueKind.Int64 => Raw<long>(),
        LogValueKind.Double => Raw<double>(),
        LogValueKind.Boolean => Raw<bool>(),
        LogValueKind.Enum => Names.ToObject(_low),
        LogValueKind.Json => Unsafe.As<ObjectJson>(_reference!).Source,
        LogValueKind.String or LogValueKind.Object => _reference,
        _ => KnownType.Find(_kind)!.Box(Bits),
    };

    /// <summary>The text of the value in the invariant culture, as the library's own layouts write it: dates in the format "O", collections as JSON, <c>byte[]</c> as base64,
    /// null as nothing, an object under <c>{@Item}</c> as compact JSON, <c>&lt;error: TypeName&gt;</c> if the value's type throws. Allocates; <see cref="LogEvent.GetText(in LogValue, int)"/> does not.</summary>
    public override string ToString()
    {
        if (_kind == LogValueKind.String)
            return String!;
        var scratch = new FormatScratch();
        var output = scratch.NewValue();
        ValueText.Append(this, output, scratch);
        var text = Encoding.UTF8.GetString(output.WrittenRunes);
        scratch.Clean();
        return text;
    }

    /// <summary>Captures a value of a known type; no box for the types <see cref="LogValueKind"/> names.</summary>
    /// <typeparam name="T">The static type of the value.</typeparam>
    /// <param name="value">The value.</param>
    public static LogValue From<T>(T value)
    {
        if (!typeof(T).IsValueType)
            return FromObject(value);
        ref var bytes = ref Unsafe.As<T, byte>(ref value);
        return KindOf<T>() switch
        {
            LogValueKind.Enum => FromEnum(EnumNames.Typed<T>.Names, ref bytes),
            LogValueKind.Object => FromObject(value),
            var kind => FromRaw(kind, ref bytes, Unsafe.SizeOf<T>()),
        };
    }

    /// <summary>Captures a value of any type; boxed values of the types <see cref="LogValueKind"/> names are unboxed.</summary>
    /// <param name="value">The value, or null.</param>
    public static LogValue FromObject(object? value) => value switch
    {
        null => default,
        string text => new LogValue(LogValueKind.String, 0, 0, text),
        int number => new LogValue(LogValueKind.Int32, (uint)number, 0, null),
        long number => new LogValue(LogValueKind.Int64, (ulong)number, 0, null),
        double number => new LogValue(LogValueKind.Double, BitConverter.DoubleToUInt64Bits(number), 0, null),
        bool truth => new LogValue(LogValueKind.Boolean, truth ? 1UL : 0, 0, null),
        _ => FromOther(value),
    };

    /// <summary>Captures an object that was serialized.</summary>
    internal static LogValue FromJson(ObjectJson json) => new(LogValueKind.Json, 0, 0, json);

    internal static LogValue FromString(string? value)
        => value is null ? default : new LogValue(LogValueKind.String, 0, 0, value);

    /// <summary>Captures an enum by its names and the address of its bytes.</summary>
    internal static LogValue FromEnum(EnumNames names, ref byte source) => new(LogValueKind.Enum, names.Read(ref source), 0, names);

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

    /// <summary>Reads the held bytes as <typeparamref name="T"/> without a check; the caller has checked <see cref="Kind"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal T Raw<T>() => Bits.As<T>();

    /// <summary>The first byte of the value in a box.</summary>
    internal static ref byte BytesOf(object box) => ref Unsafe.As<Box>(box).FirstByte;

    // Folds to a constant for each T.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static LogValueKind KindOf<T>() => typeof(T).IsEnum ? LogValueKind.Enum : KindCache<T>.Kind;

    private static LogValue FromOther(object value)
    {
        var type = value.GetType();
        if (type.IsValueType)
        {
            ref var bytes = ref BytesOf(value);
            if (type.IsEnum)
                return FromEnum(EnumNames.Of(type), ref bytes);
            if (KnownType.Find(type) is { } known)
                return FromRaw(known.Kind, ref bytes, known.Size);
        }
        return new LogValue(LogValueKind.Object, 0, 0, value);
    }

    // Any boxed value: its bytes begin where the first field of an object lies.
    private sealed class Box
    {
        public byte FirstByte;
    }

    private static class KindCache<T>
    {
        public static readonly LogValueKind Kind = KnownType.Find(typeof(T))?.Kind ?? LogValueKind.Object;
    }
}
