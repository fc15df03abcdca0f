using System.Runtime.CompilerServices;

namespace AsyncLog;

/// <summary>The value types that <see cref="LogValue"/> holds without a box.</summary>
internal static class KnownTypes
{
    private static readonly Dictionary<Type, (LogValueKind Kind, int Size)> Kinds = new()
    {
        [typeof(bool)] = Of<bool>(),
        [typeof(char)] = Of<char>(),
        [typeof(sbyte)] = Of<sbyte>(),
        [typeof(byte)] = Of<byte>(),
        [typeof(short)] = Of<short>(),
        [typeof(ushort)] = Of<ushort>(),
        [typeof(int)] = Of<int>(),
        [typeof(uint)] = Of<uint>(),
        [typeof(long)] = Of<long>(),
        [typeof(ulong)] = Of<ulong>(),
        [typeof(Int128)] = Of<Int128>(),
        [typeof(UInt128)] = Of<UInt128>(),
        [typeof(Half)] = Of<Half>(),
        [typeof(float)] = Of<float>(),
        [typeof(double)] = Of<double>(),
        [typeof(decimal)] = Of<decimal>(),
        [typeof(Guid)] = Of<Guid>(),
        [typeof(DateTime)] = Of<DateTime>(),
        [typeof(DateTimeOffset)] = Of<DateTimeOffset>(),
        [typeof(DateOnly)] = Of<DateOnly>(),
        [typeof(TimeOnly)] = Of<TimeOnly>(),
        [typeof(TimeSpan)] = Of<TimeSpan>(),
    };

    public static bool Find(Type type, out LogValueKind kind, out int size)
    {
        var isKnown = Kinds.TryGetValue(type, out var found);
        (kind, size) = found;
        return isKnown;
    }

    private static (LogValueKind Kind, int Size) Of<T>() => (LogValue.KindOf<T>(), Unsafe.SizeOf<T>());
}
