using System.Runtime.InteropServices;

namespace AsyncLog;

/// <summary>Where the members of JSON text begin and end, so that the text can be shortened to whole members.</summary>
internal sealed class JsonMarks
{
    private readonly List<Mark> _marks = [];

    public ReadOnlySpan<Mark> All => CollectionsMarshal.AsSpan(_marks);

    /// <summary>Says that a member, with what separates it from the one before, begins here.</summary>
    public void Begin(long at) => _marks.Add(new Mark { Start = at });

    /// <summary>Says that its value begins here.</summary>
    public void BeginValue(long at) => CollectionsMarshal.AsSpan(_marks)[^1].Value = at;

    /// <summary>Says that it ends here, and what must follow if nothing else does.</summary>
    public void End(long at, byte closer)
    {
        ref var last = ref CollectionsMarshal.AsSpan(_marks)[^1];
        last.End = at;
        last.Closer = closer;
    }

    [StructLayout(LayoutKind.Auto)]
    internal struct Mark
    {
        public long Start;
        public long Value;
        public long End;

        /// <summary>The bracket that closes what the member is in, or 0.</summary>
        public byte Closer;
    }
}
