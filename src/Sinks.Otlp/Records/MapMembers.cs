namespace AsyncLog;

/// <summary>Keeps the keys of one KeyValueList unique: a member takes the place of an earlier one with its key, which goes.</summary>
internal static class MapMembers
{
    /// <summary>Adds the member that was written last.</summary>
    /// <param name="members">Room for all of them.</param>
    /// <param name="count">How many there are.</param>
    /// <param name="writer">Where they lie.</param>
    /// <param name="start">Where this one begins.</param>
    /// <param name="keyLength">The length of its field with the key.</param>
    public static void Add(scoped Span<Member> members, ref int count, ref ProtoWriter writer, int start, int keyLength)
    {
        var length = writer.Position - start;
        // Tag and length are before the key; how long the length is follows from what it says.
        var keyOffset = 1 + LengthBytes(writer.Written[(start + 1)..]);
        var written = writer.Written;
        var key = written.Slice(start + keyOffset, keyLength);
        for (var i = 0; i < count; i++)
        {
            ref readonly var other = ref members[i];
            if (!written.Slice(other.Start + other.KeyOffset, other.KeyLength).SequenceEqual(key))
                continue;
            start -= Remove(members, ref count, ref writer, i);
            break;
        }

        members[count++] = new Member(start, length, keyOffset, keyLength);
    }

    private static int LengthBytes(ReadOnlySpan<byte> varint)
    {
        var length = 1;
        while (varint[length - 1] > 0x7F)
            length++;
        return length;
    }

    private static int Remove(scoped Span<Member> members, ref int count, ref ProtoWriter writer, int index)
    {
        var (start, length, _, _) = members[index];
        var written = writer.Written;
        written[(start + length)..].CopyTo(written[start..]);
        writer.Position -= length;
        count--;
        for (var i = index; i < count; i++)
            members[i] = members[i + 1] with { Start = members[i + 1].Start - length };
        return length;
    }

    /// <summary>Where a member lies.</summary>
    internal readonly record struct Member(int Start, int Length, int KeyOffset, int KeyLength);
}
