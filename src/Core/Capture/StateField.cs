using System.Runtime.CompilerServices;

namespace AsyncLog;

/// <summary>A value inside a log state's struct: where it lies and what it is.</summary>
internal readonly struct StateField
{
    private readonly LogValueKind _kind;
    private readonly int _offset;
    private readonly int _size;
    private readonly EnumNames? _names;

    private StateField(LogValueKind kind, int offset, int size, EnumNames? names)
    {
        _kind = kind;
        _offset = offset;
        _size = size;
        _names = names;
    }

    /// <summary>Whether the field can only be read through the state's own indexer: a struct that no kind names.</summary>
    public bool IsOpaque => _kind == LogValueKind.Null;

    /// <summary>Describes a field.</summary>
    /// <param name="type">Its static type.</param>
    /// <param name="offset">Its distance from the start of the struct, in bytes.</param>
    public static StateField Of(Type type, int offset)
    {
        if (type == typeof(string))
            return new StateField(LogValueKind.String, offset, 0, null);
        if (!type.IsValueType)
            return new StateField(LogValueKind.Object, offset, 0, null);
        if (type.IsEnum)
        {
            var names = EnumNames.Of(type);
            return new StateField(LogValueKind.Enum, offset, EnumNames.SizeOf(names.Underlying), names);
        }

        return KnownValues.TryFind(type, out var kind, out var size) ? new StateField(kind, offset, size, null) : default;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public LogValue Read(ref byte state)
    {
        ref var source = ref Unsafe.Add(ref state, _offset);
        return _kind switch
        {
            LogValueKind.String => LogValue.FromString(Unsafe.As<byte, string?>(ref source)),
            LogValueKind.Object => LogValue.FromObject(Unsafe.As<byte, object?>(ref source)),
            LogValueKind.Enum => LogValue.FromEnum(_names!, EnumNames.Bits(ref source, _size, _names!.IsSigned)),
            _ => LogValue.FromRaw(_kind, ref source, _size),
        };
    }
}
