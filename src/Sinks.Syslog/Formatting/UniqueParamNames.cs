using System.Runtime.InteropServices;

namespace AsyncLog;

/// <summary>The names of one element so far, so that none occurs twice. Each name costs the same, however many are equal.</summary>
internal sealed class UniqueParamNames
{
    private const int KeptRoom = 512;
    private HashSet<Name> _taken = [];

    // The next number to try behind the beginning of a name: all smaller ones are taken, and what is taken stays so.
    private Dictionary<Name, int> _next = [];

    public void Clear()
    {
        if (_taken.Count > KeptRoom)
        {
            _taken = [];
            _next = [];
            return;
        }

        _taken.Clear();
        _next.Clear();
    }

    public void Add(ReadOnlySpan<byte> name) => _taken.Add(new Name(name));

    /// <summary>Gives the name at the end of the record another end, <c>~2</c>, <c>~3</c>, …, until no earlier name is the same.</summary>
    /// <param name="writer">The record; the name reaches from <paramref name="nameStart"/> to its end.</param>
    public void AddUnique(ref Utf8Writer writer, long nameStart)
    {
        if (_taken.Add(new Name(writer.Since(nameStart))))
            return;
        var length = (int)(writer.Position - nameStart);
        // Numbers with more digits leave a shorter beginning.
        for (int digits = 1, first = 2; ; digits++, first = (int)Math.Pow(10, digits - 1))
        {
            writer.Rewind(nameStart + Math.Min(length, Parameter.LongestName - 1 - digits));
            if (TryNumber(ref writer, nameStart, first, (int)Math.Pow(10, digits)))
                return;
        }
    }

    private bool TryNumber(ref Utf8Writer writer, long nameStart, int first, int end)
    {
        var stemEnd = writer.Position;
        var stem = new Name(writer.Since(nameStart));
        var number = Math.Max(first, _next.GetValueOrDefault(stem));
        for (; number < end; number++)
        {
            writer.Rewind(stemEnd);
            writer.Write((byte)'~');
            writer.WriteNumber(number);
            if (!_taken.Add(new Name(writer.Since(nameStart))))
                continue;
            _next[stem] = number + 1;
            return true;
        }

        _next[stem] = number;
        return false;
    }

    // At most 32 bytes, none of them zero. The hash is seeded: clients may choose names.
    private readonly struct Name : IEquatable<Name>
    {
        private readonly UInt128 _first;
        private readonly UInt128 _second;

        public Name(ReadOnlySpan<byte> name)
        {
            Span<byte> bytes = stackalloc byte[Parameter.LongestName];
            bytes.Clear();
            name.CopyTo(bytes);
            _first = MemoryMarshal.Read<UInt128>(bytes);
            _second = MemoryMarshal.Read<UInt128>(bytes[16..]);
        }

        public bool Equals(Name other) => _first == other._first && _second == other._second;

        public override bool Equals(object? obj) => obj is Name other && Equals(other);

        public override int GetHashCode() => HashCode.Combine((ulong)_first, (ulong)(_first >> 64), (ulong)_second, (ulong)(_second >> 64));
    }
}
