using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;

namespace AsyncLog;

/// <summary>Writes short text that needs no escape in JSON, as nearly all values and names, in one pass that looks and copies at once.</summary>
internal static class CleanJsonText
{
    /// <summary>Longer text is left to <see cref="Escaping"/>.</summary>
    public const int Longest = 256;

    private const int First = 0x20;
    private const int Last = 0x7E;

    /// <summary>Writes the text if all of it is printable ASCII without <c>"</c> and <c>\</c>; otherwise what was written means nothing.</summary>
    /// <param name="text">The text.</param>
    /// <param name="destination">As long at least.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool TryWrite(ReadOnlySpan<char> text, Span<byte> destination)
    {
        if (text.Length > destination.Length)
            return false;
        ref var source = ref Unsafe.As<char, ushort>(ref MemoryMarshal.GetReference(text));
        ref var target = ref MemoryMarshal.GetReference(destination);
        return text.Length >= Vector128<ushort>.Count ? TryNarrow(ref source, ref target, text.Length) : TryCopy(ref source, ref target, text.Length);
    }

    // The last eight characters overlap with those before, so there is no rest to treat apart.
    private static bool TryNarrow(ref ushort source, ref byte target, int length)
    {
        var last = (nuint)(length - Vector128<ushort>.Count);
        var dirty = Vector128<ushort>.Zero;
        for (nuint i = 0; i < last; i += (nuint)Vector128<ushort>.Count)
            dirty |= Narrow(ref source, ref target, i);
        dirty |= Narrow(ref source, ref target, last);
        return dirty == Vector128<ushort>.Zero;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector128<ushort> Narrow(ref ushort source, ref byte target, nuint at)
    {
        var block = Vector128.LoadUnsafe(ref source, at);
        Vector128.Narrow(block, block).GetLower().StoreUnsafe(ref target, at);
        return Vector128.GreaterThan(block - Vector128.Create((ushort)First), Vector128.Create((ushort)(Last - First)))
            | Vector128.Equals(block, Vector128.Create((ushort)'"'))
            | Vector128.Equals(block, Vector128.Create((ushort)'\\'));
    }

    private static bool TryCopy(ref ushort source, ref byte target, int length)
    {
        for (var i = 0; i < length; i++)
        {
            var c = Unsafe.Add(ref source, i);
            if ((uint)(c - First) > Last - First || c is '"' or '\\')
                return false;
            Unsafe.Add(ref target, i) = (byte)c;
        }
        return true;
    }
}
