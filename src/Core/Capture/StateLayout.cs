using System.Runtime.CompilerServices;

namespace AsyncLog;

/// <summary>Where the values of a state of <c>LoggerMessage.Define</c> lie, so that they can be read without boxes.</summary>
/// <remarks>Not generic: code shared between closed types would look up each type again at every step.</remarks>
internal sealed class StateLayout(StateField[] fields, int ownerOffset)
{
    /// <summary>The number of values.</summary>
    public int Count => fields.Length;

    /// <summary>Whether any value can only be had in a box.</summary>
    public bool HasBoxed { get; } = Array.Exists(fields, static field => field.IsBoxed);

    /// <summary>Whether a value can only be had in a box, from the state itself.</summary>
    public bool IsBoxed(int index) => fields[index].IsBoxed;

    /// <summary>The object that goes with the state's template: MEL's formatter.</summary>
    public object GetOwner(ref byte state) => Unsafe.As<byte, object>(ref Unsafe.Add(ref state, ownerOffset));

    /// <summary>Whether the layout reads the values that the state's own indexer gave.</summary>
    public bool Proves(ref byte state, ReadOnlySpan<LogProperty> proven)
    {
        if (fields.Length != proven.Length)
            return false;
        for (var i = 0; i < fields.Length; i++)
        {
            LogValue read = default;
            fields[i].Read(ref state, ref read);
            if (!fields[i].IsBoxed && !IsSame(read, proven[i].Value))
                return false;
        }
        return true;
    }

    /// <summary>Writes the value of a hole without a width, where that takes no capturing.</summary>
    public bool TryWrite(ref byte state, ref Utf8Writer writer, in MessagePart part) => fields[part.Hole].TryWrite(ref state, ref writer, in part);

    /// <summary>Reads one value over one that is null.</summary>
    public void Read(ref byte state, int index, ref LogValue target) => fields[index].Read(ref state, ref target);

    /// <summary>Adds the values under the template's names; a boxed one as null, to be set by the caller.</summary>
    public void Read(ref byte state, MessageTemplate template, PropertyList target)
    {
        var names = template.Names;
        var values = target.Take(fields.Length);
        for (var i = 0; i < fields.Length && i < values.Length && i < names.Length; i++)
            Read(ref state, names[i], i, ref values[i]);
    }

    private void Read(ref byte state, string name, int index, ref LogProperty target)
    {
        // The target is null, so that only what differs from that is written.
        Unsafe.AsRef(in target.NameRef) = name;
        fields[index].Read(ref state, ref Unsafe.AsRef(in target.ValueRef));
    }

    private static bool IsSame(in LogValue read, in LogValue proven)
        => read.Kind == proven.Kind
            && (read.Kind == LogValueKind.Object ? ReferenceEquals(read.Object, proven.Object) : Equals(read.ToObject(), proven.ToObject()));
}
