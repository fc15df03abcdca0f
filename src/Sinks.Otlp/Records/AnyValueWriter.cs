using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace AsyncLog;

/// <summary>Writes AnyValues that need nothing else, and keeps the keys of a list unique.</summary>
internal static class AnyValueWriter
{
    /// <summary>The most elements of a collection.</summary>
    public const int MaxElements = 128;

    private const int BoolSize = 2;
    private const int DoubleSize = 9;

    // NaN has many forms; that of double.NaN is negative on x64.
    private const ulong CanonicalNaN = 0x7FF8000000000000;

    /// <summary>Writes a value without content.</summary>
    public static void WriteEmpty(ref ProtoWriter writer, byte tag) => writer.Write([tag, 0]);

    public static void WriteBool(ref ProtoWriter writer, byte tag, bool value) => writer.Write([tag, BoolSize, OtlpTag.Bool, value ? (byte)1 : (byte)0]);

    public static void WriteInt(ref ProtoWriter writer, byte tag, long value) => writer.WriteNestedVarint(tag, OtlpTag.Int, (ulong)value);

    public static void WriteDouble(ref ProtoWriter writer, byte tag, double value)
    {
        writer.Write([tag, DoubleSize]);
        writer.WriteFixed64(OtlpTag.Double, double.IsNaN(value) ? CanonicalNaN : BitConverter.DoubleToUInt64Bits(value));
    }

    /// <summary>The members of one KeyValueList. Keys are unique: a member replaces an earlier one with the same key.</summary>
    public struct Members
    {
        private Room _members;
        private int _count;

        /// <summary>Adds the member that was written last.</summary>
        public void Add(ref ProtoWriter writer, int start, int keyLength)
        {
            var written = writer.Written;
            var length = written.Length - start;
            // The key is behind the tag and the length of the member.
            var keyOffset = 1;
            while (written[start + keyOffset++] > 0x7F)
            {
            }

            var key = written.Slice(start + keyOffset, keyLength);
            for (var i = 0; i < _count; i++)
            {
                ref readonly var other = ref _members[i];
                if (!written.Slice(other.Start + other.KeyOffset, other.KeyLength).SequenceEqual(key))
                    continue;
                start -= Remove(ref writer, i);
                break;
            }

            _members[_count++] = new Member(start, length, keyOffset, keyLength);
        }

        private int Remove(ref ProtoWriter writer, int index)
        {
            var (start, length, _, _) = _members[index];
            var written = writer.Written;
            written[(start + length)..].CopyTo(written[start..]);
            writer.Position -= length;
            _count--;
            for (var i = index; i < _count; i++)
                _members[i] = _members[i + 1] with { Start = _members[i + 1].Start - length };
            return length;
        }

        private readonly record struct Member(int Start, int Length, int KeyOffset, int KeyLength);

        [InlineArray(MaxElements)]
        private struct Room
        {
            [SuppressMessage("Roslynator", "RCS1213", Justification = "The element of the inline array.")]
            private Member _first;
        }
    }
}
