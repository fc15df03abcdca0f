using System.Runtime.CompilerServices;

namespace AsyncLog;

/// <summary>Takes known values out of their box.</summary>
internal static class BoxedValues
{
    /// <summary>Reads a boxed value of one of the types that <see cref="LogValueKind"/> names; most common types first.</summary>
    public static bool Read(object value, out LogValue result)
    {
        var type = value.GetType();
        if (!type.IsValueType)
        {
            result = default;
            return false;
        }
        return TryRaw<int>(value, type, out result) || TryRaw<long>(value, type, out result)
            || TryRaw<double>(value, type, out result) || TryRaw<bool>(value, type, out result)
            || TryRaw<Guid>(value, type, out result) || TryRaw<decimal>(value, type, out result)
            || TryRaw<TimeSpan>(value, type, out result) || TryRaw<DateTime>(value, type, out result)
            || TryRaw<DateTimeOffset>(value, type, out result) || TryEnum(value, type, out result)
            || ReadRare(value, type, out result);
    }

    private static bool ReadRare(object value, Type type, out LogValue result)
        => TryRaw<float>(value, type, out result) || TryRaw<char>(value, type, out result)
            || TryRaw<byte>(value, type, out result) || TryRaw<short>(value, type, out result)
            || TryRaw<uint>(value, type, out result) || TryRaw<ulong>(value, type, out result)
            || TryRaw<sbyte>(value, type, out result) || TryRaw<ushort>(value, type, out result)
            || TryRaw<Int128>(value, type, out result) || TryRaw<UInt128>(value, type, out result)
            || TryRaw<Half>(value, type, out result) || TryRaw<DateOnly>(value, type, out result)
            || TryRaw<TimeOnly>(value, type, out result);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool TryRaw<T>(object value, Type type, out LogValue result)
        where T : struct
    {
        if (type != typeof(T))
        {
            result = default;
            return false;
        }
        result = LogValue.FromRaw(LogValue.KindOf<T>(), ref Unsafe.As<T, byte>(ref Unsafe.Unbox<T>(value)), Unsafe.SizeOf<T>());
        return true;
    }

    private static bool TryEnum(object value, Type type, out LogValue result)
    {
        if (value is not Enum)
        {
            result = default;
            return false;
        }
        var names = EnumNames.Of(type);
        ref var bytes = ref Unsafe.As<RawBox>(value).FirstByte;
        result = LogValue.FromEnum(names, EnumNames.Bits(ref bytes, SizeOf(type), names.IsSigned));
        return true;
    }

    private static int SizeOf(Type type) => Type.GetTypeCode(type) switch
    {
        TypeCode.SByte or TypeCode.Byte or TypeCode.Boolean => 1,
        TypeCode.Int16 or TypeCode.UInt16 or TypeCode.Char => 2,
        TypeCode.Int32 or TypeCode.UInt32 => 4,
        _ => 8,
    };

    // Any boxed value: its bytes begin where the first field of an object lies.
    private sealed class RawBox
    {
        public byte FirstByte;
    }
}
