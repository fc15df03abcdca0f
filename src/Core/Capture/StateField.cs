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
            (_form, _kind) = (FieldForm.String, LogValueKind.String);
        else if (!type.IsValueType)
            _form = FieldForm.Reference;
        else if (KnownType.Find(type) is { } known)
            (_form, _kind, _size) = (known.Size switch { 4 => FieldForm.Four, 8 => FieldForm.Eight, _ => FieldForm.Raw }, known.Kind, known.Size);
        else if (type.IsEnum)
            (_form, _names) = (FieldForm.Enum, EnumNames.Of(type));
    }

    /// <summary>Whether the value can only be had in a box, from the state itself.</summary>
    public bool IsBoxed => _form == FieldForm.Boxed;

    /// <summary>Reads the value of the state that begins at <paramref name="state"/> over one that is null.</summary>
    public void Read(ref byte state, ref LogValue value)
    {
        ref var source = ref Unsafe.Add(ref state, _offset);
        if (_flagOffset >= 0 && Unsafe.Add(ref state, _flagOffset) == 0)
            return;
        switch (_form)
        {
            case FieldForm.Four:
                LogValue.Write(ref value, _kind, Unsafe.ReadUnaligned<uint>(ref source));
                break;
            case FieldForm.Eight:
                LogValue.Write(ref value, _kind, Unsafe.ReadUnaligned<ulong>(ref source));
                break;
            case FieldForm.String:
                LogValue.Write(ref value, Unsafe.As<byte, string?>(ref source));
                break;
            case FieldForm.Raw:
                value = LogValue.FromRaw(_kind, ref source, _size);
                break;
            case FieldForm.Enum:
                value = LogValue.FromEnum(_names!, ref source);
                break;
            case FieldForm.Reference:
                value = LogValue.FromObject(Unsafe.As<byte, object>(ref source));
                break;
        }
    }

    /// <summary>Writes the value of the state that begins at <paramref name="state"/> into a message, as <see cref="PlainValue"/> does.</summary>
    public int TryWrite(ref byte state, Span<byte> room, in MessagePart part)
    {
        ref var source = ref Unsafe.Add(ref state, _offset);
        return _kind switch
        {
            LogValueKind.String => PlainValue.TryWrite(Unsafe.As<byte, string?>(ref source), room),
            LogValueKind.Int32 when _flagOffset < 0 => PlainValue.TryWrite(Unsafe.ReadUnaligned<int>(ref source), room, in part),
            LogValueKind.Int64 when _flagOffset < 0 => PlainValue.TryWrite(Unsafe.ReadUnaligned<long>(ref source), room, in part),
            LogValueKind.Double when _flagOffset < 0 => PlainValue.TryWrite(Unsafe.ReadUnaligned<double>(ref source), room, in part),
            _ => PlainValue.NotPlain,
        };
    }

    private enum FieldForm : byte
    {
        Boxed,
        Four,
        Eight,
        Raw,
        String,
        Enum,
        Reference,
    }
}
