using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;

namespace AsyncLog;

/// <summary>Narrows short printable ASCII text, which nearly all logged text is, without the set-up cost of the transcoder.</summary>
internal static class AsciiText
{
    /// <summary>Text longer than this is the transcoder's.</summary>
    public const int Longest = 64;

    private const int First = ' ';
    private const int Last = '~';

    /// <summary>Writes the text if all of it is printable ASCII; otherwise what was written means nothing.</summary>
    /// <param name="text">At most <see cref="Longest"/> characters.</param>
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
        // What lies below the first character wraps around to the top.
        var most = Vector128<ushort>.Zero;
        for (nuint i = 0; i < last; i += (nuint)Vector128<ushort>.Count)
            most = Vector128.Max(most, Narrow(ref source, ref target, i));
        most = Vector128.Max(most, Narrow(ref source, ref target, last));
        return !Vector128.GreaterThanAny(most, Vector128.Create((ushort)(Last - First)));
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector128<ushort> Narrow(ref ushort source, ref byte target, nuint at)
    {
        var block = Vector128.LoadUnsafe(ref source, at);
        // As a number: a vector of eight bytes would go through memory.
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref target, at), Vector128.Narrow(block, block).AsUInt64().ToScalar());
        return block - Vector128.Create((ushort)First);
    }

    private static bool TryCopy(ref ushort source, ref byte target, int length)
    {
        uint most = 0;
        for (var i = 0; i < length; i++)
        {
            uint c = Unsafe.Add(ref source, i);
            most = Math.Max(most, c - First);
            Unsafe.Add(ref target, i) = (byte)c;
        }

        return most <= Last - First;
    }
}
