using System.Runtime.CompilerServices;

namespace AsyncLog;

/// <summary>The value types that a <see cref="LogValue"/> holds as they are.</summary>
internal static class KnownValues
{
    private static readonly Dictionary<Type, (LogValueKind Kind, int Size)> Types = new()
    {
        [typeof(bool)] = (LogValueKind.Boolean, 1),
        [typeof(char)] = (LogValueKind.Char, 2),
        [typeof(sbyte)] = (LogValueKind.SByte, 1),
        [typeof(byte)] = (LogValueKind.Byte, 1),
        [typeof(short)] = (LogValueKind.Int16, 2),
        [typeof(ushort)] = (LogValueKind.UInt16, 2),
        [typeof(int)] = (LogValueKind.Int32, 4),
        [typeof(uint)] = (LogValueKind.UInt32, 4),
        [typeof(long)] = (LogValueKind.Int64, 8),
        [typeof(ulong)] = (LogValueKind.UInt64, 8),
        [typeof(Int128)] = (LogValueKind.Int128, 16),
        [typeof(UInt128)] = (LogValueKind.UInt128, 16),
        [typeof(Half)] = (LogValueKind.Half, 2),
        [typeof(float)] = (LogValueKind.Single, 4),
        [typeof(double)] = (LogValueKind.Double, 8),
        [typeof(decimal)] = (LogValueKind.Decimal, 16),
        [typeof(Guid)] = (LogValueKind.Guid, 16),
        [typeof(DateTime)] = (LogValueKind.DateTime, 8),
        [typeof(DateTimeOffset)] = (LogValueKind.DateTimeOffset, Unsafe.SizeOf<DateTimeOffset>()),
        [typeof(DateOnly)] = (LogValueKind.DateOnly, 4),
        [typeof(TimeOnly)] = (LogValueKind.TimeOnly, 8),
        [typeof(TimeSpan)] = (LogValueKind.TimeSpan, 8),
    };

    public static bool TryFind(Type type, out LogValueKind kind, out int size)
    {
        var isKnown = Types.TryGetValue(type, out var found);
        (kind, size) = found;
        return isKnown;
    }
}
