using System.Runtime.CompilerServices;

namespace AsyncLog;

/// <summary>Where the values of a state of MEL lie, so that they can be read without boxes and without asking the state for each.</summary>
/// <remarks>Not generic: code shared between closed types would look up each type again at every step.</remarks>
internal sealed class StateLayout
{
    private const int NoArray = -1;
    private readonly StateField[] _fields;
    private readonly int _ownerOffset;
    private readonly int _arrayOffset = NoArray;

    /// <summary>A state of <c>LoggerMessage.Define</c>: a field for each value.</summary>
    public StateLayout(StateField[] fields, int ownerOffset)
    {
        _fields = fields;
        _ownerOffset = ownerOffset;
        HasBoxed = Array.Exists(fields, static field => field.IsBoxed);
    }

    /// <summary>A template call: one array of arguments.</summary>
    public StateLayout(int arrayOffset, int textOffset)
    {
        _fields = [];
        _arrayOffset = arrayOffset;
        _ownerOffset = textOffset;
    }

    /// <summary>Whether any value can only be had in a box, from the state itself.</summary>
    public bool HasBoxed { get; }

    /// <summary>Whether the arguments lie in an array; then the owner is the template's text.</summary>
    public bool IsTemplateCall => _arrayOffset >= 0;

    /// <summary>The number of values.</summary>
    public int GetCount(ref byte state) => IsTemplateCall ? GetArray(ref state)?.Length ?? 0 : _fields.Length;

    /// <summary>Whether a value can only be had in a box, from the state itself.</summary>
    public bool IsBoxed(int index) => _fields[index].IsBoxed;

    /// <summary>The object that goes with the state's template: MEL's formatter, or the text itself.</summary>
    public object? GetOwner(ref byte state) => Unsafe.As<byte, object?>(ref Unsafe.Add(ref state, _ownerOffset));

    /// <summary>Whether the layout reads the values that the state's own indexer gave.</summary>
    public bool Proves(ref byte state, ReadOnlySpan<LogProperty> proven)
    {
        if (GetCount(ref state) != proven.Length)
            return false;
        for (var i = 0; i < proven.Length; i++)
        {
            LogValue read = default;
            Read(ref state, i, ref read);
            if ((IsTemplateCall || !_fields[i].IsBoxed) && !IsSame(read, proven[i].Value))
                return false;
        }
        return true;
    }

    /// <summary>Writes the value of a hole, as <see cref="PlainValue"/> does.</summary>
    public int TryWrite(ref byte state, Span<byte> room, in MessagePart part)
        => IsTemplateCall
            ? StateArgument.TryWrite(GetArray(ref state)![part.Hole], room, in part)
            : _fields[part.Hole].TryWrite(ref state, room, in part);

    /// <summary>Reads one value over one that is null; a boxed one stays null, to be set by the caller.</summary>
    public void Read(ref byte state, int index, ref LogValue target)
    {
        if (IsTemplateCall)
            target = LogValue.FromObject(GetArray(ref state)![index]);
        else
            _fields[index].Read(ref state, ref target);
    }

    /// <summary>Adds the values under the template's names.</summary>
    public void ReadAll(ref byte state, MessageTemplate template, PropertyList target)
    {
        var names = template.Names;
        var values = target.Take(names.Length);
        for (var i = 0; i < names.Length && i < values.Length; i++)
        {
            // The target is null, so that only what differs from that is written.
            ref var property = ref values[i];
            Unsafe.AsRef(in property.NameRef) = names[i];
            Read(ref state, i, ref Unsafe.AsRef(in property.ValueRef));
        }
    }

    private object?[]? GetArray(ref byte state) => Unsafe.As<byte, object?[]?>(ref Unsafe.Add(ref state, _arrayOffset));

    private static bool IsSame(in LogValue read, in LogValue proven)
        => read.Kind == proven.Kind
            && (read.Kind == LogValueKind.Object ? ReferenceEquals(read.Object, proven.Object) : Equals(read.ToObject(), proven.ToObject()));
}
