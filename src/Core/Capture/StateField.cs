using System.Runtime.CompilerServices;

namespace AsyncLog;

/// <summary>Where one value lies in a state and what it is.</summary>
internal readonly struct StateField
{
    private const int Absent = -1;
    private readonly FieldForm _form;
    private readonly LogValueKind _kind;
    private readonly int _size;
    private readonly int _offset;
    private readonly int _flagOffset;
    private readonly EnumNames? _names;

    /// <param name="type">The field's type; of a nullable one the type inside.</param>
    /// <param name="offset">Where the value begins.</param>
    /// <param name="flagOffset">Where a nullable field says whether it has a value; negative: it is not nullable.</param>
    public StateField(Type type, int offset, int flagOffset = Absent)
    {
        _offset = offset;
        _flagOffset = flagOffset;
        if (type == typeof(string))
            _form = FieldForm.String;
        else if (!type.IsValueType)
            _form = FieldForm.Reference;
        else if (KnownTypes.Find(type, out _kind, out _size))
            _form = flagOffset >= 0 ? FieldForm.Raw : _size switch { 4 => FieldForm.Raw4, 8 => FieldForm.Raw8, _ => FieldForm.Raw };
        else if (type.IsEnum && KnownTypes.Find(Enum.GetUnderlyingType(type), out _, out _size))
            (_form, _names) = (FieldForm.Enum, EnumNames.Of(type));
    }

    /// <summary>Whether the value can only be had in a box, from the state itself.</summary>
    public bool IsBoxed => _form == FieldForm.Boxed;

    /// <summary>Reads the value of the state that begins at <paramref name="state"/> into one that is null.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Read(ref byte state, ref LogValue target)
    {
        ref var source = ref Unsafe.Add(ref state, _offset);
        if (_form == FieldForm.String)
            LogValue.Write(ref target, Unsafe.As<byte, string?>(ref source));
        else if (_form == FieldForm.Raw4)
            LogValue.Write(ref target, _kind, Unsafe.ReadUnaligned<uint>(ref source));
        else if (_form == FieldForm.Raw8)
            LogValue.Write(ref target, _kind, Unsafe.ReadUnaligned<ulong>(ref source));
        else
            target = Read(ref state);
    }

    /// <summary>Reads the value of the state that begins at <paramref name="state"/>.</summary>
    public LogValue Read(ref byte state)
    {
        if (_flagOffset >= 0 && Unsafe.Add(ref state, _flagOffset) == 0)
            return default;
        ref var source = ref Unsafe.Add(ref state, _offset);
        return _form switch
        {
            FieldForm.Raw or FieldForm.Raw4 or FieldForm.Raw8 => LogValue.FromRaw(_kind, ref source, _size),
            FieldForm.String => LogValue.FromString(Unsafe.As<byte, string?>(ref source)),
            FieldForm.Enum => LogValue.FromEnum(_names!, EnumNames.Bits(ref source, _size, _names!.IsSigned)),
            _ => LogValue.FromObject(Unsafe.As<byte, object?>(ref source)),
        };
    }

    private enum FieldForm : byte
    {
        Boxed,
        Raw,
        Raw4,
        Raw8,
        String,
        Enum,
        Reference,
    }
}
