namespace AsyncLog;

/// <summary>UTF-8 names of one enum type, found once per value and kept.</summary>
internal sealed class EnumNames
{
    public bool IsSigned => throw null!;
    public static EnumNames Of(Type type) => throw null!;
    public static ulong Bits(ref byte source, int size, bool signed) => throw null!;
    public object ToObject(ulong bits) => throw null!;
    public ReadOnlySpan<byte> GetName(ulong bits) => throw null!;
}
