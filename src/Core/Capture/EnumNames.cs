using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using System.Text;

namespace AsyncLog;

/// <summary>UTF-8 names of one enum type, found once per value and kept. Shared by all threads; what it holds never changes.</summary>
internal sealed class EnumNames
{
    // Combinations of flags beyond this are formatted anew each time.
    private const int MostNames = 1024;
    private static readonly ConcurrentDictionary<Type, EnumNames> Types = new();
    private readonly ConcurrentDictionary<ulong, byte[]> _names = new();
    private readonly Type _type;

    private EnumNames(Type type)
    {
        _type = type;
        Underlying = Type.GetTypeCode(type);
        IsSigned = Underlying is TypeCode.SByte or TypeCode.Int16 or TypeCode.Int32 or TypeCode.Int64;
    }

    /// <summary>The type the values are stored as.</summary>
    public TypeCode Underlying { get; }

    /// <summary>Whether the underlying type is signed.</summary>
    public bool IsSigned { get; }

    public static EnumNames Of(Type type) => Types.GetOrAdd(type, static found => new EnumNames(found));

    /// <summary>Bytes of a value.</summary>
    public static int SizeOf(TypeCode underlying) => underlying switch
    {
        TypeCode.SByte or TypeCode.Byte or TypeCode.Boolean => 1,
        TypeCode.Int16 or TypeCode.UInt16 or TypeCode.Char => 2,
        TypeCode.Int32 or TypeCode.UInt32 => 4,
        _ => 8,
    };

    /// <summary>The value as 64 bits, sign-extended where the type is signed.</summary>
    public static ulong Bits(ref byte source, int size, bool signed) => size switch
    {
        1 => signed ? (ulong)(sbyte)source : source,
        2 => signed ? (ulong)Unsafe.ReadUnaligned<short>(ref source) : Unsafe.ReadUnaligned<ushort>(ref source),
        4 => signed ? (ulong)Unsafe.ReadUnaligned<int>(ref source) : Unsafe.ReadUnaligned<uint>(ref source),
        _ => Unsafe.ReadUnaligned<ulong>(ref source),
    };

    /// <summary>The value as its own type.</summary>
    public object ToObject(ulong bits) => IsSigned ? Enum.ToObject(_type, (long)bits) : Enum.ToObject(_type, bits);

    /// <summary>The name as <c>ToString("G")</c> gives it: names of flags, or the number where there is no name.</summary>
    public ReadOnlySpan<byte> GetName(ulong bits)
    {
        if (_names.TryGetValue(bits, out var name))
            return name;
        name = Encoding.UTF8.GetBytes(ToObject(bits).ToString() ?? "");
        if (_names.Count < MostNames)
            _names.TryAdd(bits, name);
        return name;
    }
}
