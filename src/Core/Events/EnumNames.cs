using System.Collections.Concurrent;
using System.Globalization;
using System.Runtime.CompilerServices;
using System.Text;

namespace AsyncLog;

/// <summary>The UTF-8 names of one enum type, cached per value.</summary>
internal sealed class EnumNames : PlainType
{
    // Bounded: values may come from data. Numbers without a name have a bound of their own, so that they do not displace names.
    private const int MaxNames = 256;
    private const int MaxNumbers = 64;

    // Weak in the type, so that a collectible assembly can go.
    private static readonly ConditionalWeakTable<Type, EnumNames> Known = [];

    private readonly ConcurrentDictionary<ulong, byte[]> _names = new();
    private readonly Type _type;
    private readonly TypeCode _underlying;
    private int _freeNames = MaxNames;
    private int _freeNumbers = MaxNumbers;

    private EnumNames(Type type)
    {
        _type = type;
        _underlying = Type.GetTypeCode(type);
        IsSigned = _underlying is TypeCode.SByte or TypeCode.Int16 or TypeCode.Int32 or TypeCode.Int64;
    }

    /// <summary>True if the underlying type is signed.</summary>
    public bool IsSigned { get; }

    public override ElementForm Form => ElementForm.Quoted;

    /// <summary>The names of an enum type.</summary>
    public static EnumNames Of(Type type) => Known.GetValue(type, static t => new EnumNames(t));

    /// <summary>Reads the underlying value as 64 bits, sign-extended if it is signed.</summary>
    public ulong Read(ref byte source) => _underlying switch
    {
        TypeCode.SByte => (ulong)(sbyte)source,
        TypeCode.Byte or TypeCode.Boolean => source,
        TypeCode.Int16 => (ulong)Unsafe.ReadUnaligned<short>(ref source),
        TypeCode.UInt16 or TypeCode.Char => Unsafe.ReadUnaligned<ushort>(ref source),
        TypeCode.Int32 => (ulong)Unsafe.ReadUnaligned<int>(ref source),
        TypeCode.UInt32 => Unsafe.ReadUnaligned<uint>(ref source),
        _ => Unsafe.ReadUnaligned<ulong>(ref source),
    };

    /// <summary>The value as its own enum type.</summary>
    public object ToObject(ulong bits) => IsSigned ? Enum.ToObject(_type, (long)bits) : Enum.ToObject(_type, bits);

    /// <summary>The value's text, as <c>ToString("G")</c> gives it: a name, names of flags, or the number.</summary>
    public ReadOnlySpan<byte> GetName(ulong bits) => _names.TryGetValue(bits, out var name) ? name : Find(bits);

    public override int TryWrite(ref byte value, ValueStyle style, Span<byte> room)
    {
        var name = GetName(Read(ref value));
        // .NET prints negative numbers with the minus sign of the thread's culture.
        if (name[0] == '-' || name.Length + 2 > room.Length || !Escaping.IsClean(name, EscapeStyle.Json) || !Ascii.IsValid(name))
            return NotPlain;
        if (style != ValueStyle.Json)
        {
            name.CopyTo(room);
            return name.Length;
        }

        room[0] = (byte)'"';
        name.CopyTo(room[1..]);
        room[name.Length + 1] = (byte)'"';
        return name.Length + 2;
    }

    private byte[] Find(ulong bits)
    {
        var text = ToObject(bits).ToString()!;
        var isName = text.Length > 0 && IsNameStart(text[0]);
        // An undefined value is printed as a number, with the minus sign of the thread's culture.
        if (!isName)
            text = IsSigned ? ((long)bits).ToString(CultureInfo.InvariantCulture) : bits.ToString(CultureInfo.InvariantCulture);
        var name = Encoding.UTF8.GetBytes(text);
        ref var room = ref isName ? ref _freeNames : ref _freeNumbers;
        if (Volatile.Read(ref room) > 0 && Interlocked.Decrement(ref room) >= 0)
            _names.TryAdd(bits, name);
        return name;
    }

    private static bool IsNameStart(char first) => first == '_' || char.IsLetter(first);

    /// <summary>The names of an enum type that is known at compile time, without a lookup.</summary>
    internal static class Typed<T>
    {
        public static readonly EnumNames Names = Of(typeof(T));
    }
}
