using System.Runtime.CompilerServices;

namespace AsyncLog;

/// <summary>Takes known values out of their box, so that a formatter sees the same kinds whichever way a value came.</summary>
internal static class BoxedValues
{
    public static bool Read(object value, out LogValue result)
    {
        var type = value.GetType();
        if (type.IsEnum)
        {
            var names = EnumNames.Of(type);
            result = LogValue.FromEnum(names, EnumNames.Bits(ref Content(value), SizeOf(names.Underlying), names.IsSigned));
            return true;
        }

        var kind = KindOf(Type.GetTypeCode(type));
        if (kind == LogValueKind.Object)
            return ReadOther(value, out result);
        result = LogValue.FromRaw(kind, ref Content(value), SizeOf(Type.GetTypeCode(type)));
        return true;
    }

    private static bool ReadOther(object value, out LogValue result)
    {
        switch (value)
        {
            case Guid guid:
                result = LogValue.From(guid);
                return true;
            case DateTimeOffset time:
                result = LogValue.From(time);
                return true;
            case TimeSpan span:
                result = LogValue.From(span);
                return true;
            case DateOnly date:
                result = LogValue.From(date);
                return true;
            case TimeOnly time:
                result = LogValue.From(time);
                return true;
            case Int128 number:
                result = LogValue.From(number);
                return true;
            case UInt128 number:
                result = LogValue.From(number);
                return true;
            case Half number:
                result = LogValue.From(number);
                return true;
            default:
                result = default;
                return false;
        }
    }

    // The bytes behind the header of a box.
    private static ref byte Content(object box) => ref Unsafe.As<Box>(box).First;

    private static LogValueKind KindOf(TypeCode code) => code switch
    {
        TypeCode.Boolean => LogValueKind.Boolean,
        TypeCode.Char => LogValueKind.Char,
        TypeCode.SByte => LogValueKind.SByte,
        TypeCode.Byte => LogValueKind.Byte,
        TypeCode.Int16 => LogValueKind.Int16,
        TypeCode.UInt16 => LogValueKind.UInt16,
        TypeCode.Int32 => LogValueKind.Int32,
        TypeCode.UInt32 => LogValueKind.UInt32,
        TypeCode.Int64 => LogValueKind.Int64,
        TypeCode.UInt64 => LogValueKind.UInt64,
        TypeCode.Single => LogValueKind.Single,
        TypeCode.Double => LogValueKind.Double,
        TypeCode.Decimal => LogValueKind.Decimal,
        TypeCode.DateTime => LogValueKind.DateTime,
        _ => LogValueKind.Object,
    };

    private static int SizeOf(TypeCode code) => code switch
    {
        TypeCode.Boolean or TypeCode.SByte or TypeCode.Byte => 1,
        TypeCode.Char or TypeCode.Int16 or TypeCode.UInt16 => 2,
        TypeCode.Int32 or TypeCode.UInt32 or TypeCode.Single => 4,
        TypeCode.Decimal => 16,
        _ => 8,
    };

    private sealed class Box
    {
        public byte First;
    }
}
