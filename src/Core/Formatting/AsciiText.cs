using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;

namespace AsyncLog;

/// <summary>Narrows short ASCII text, which nearly all logged text is, without the set-up cost of the transcoder.</summary>
internal static class AsciiText
{
    /// <summary>Text longer than this is the transcoder's.</summary>
    public const int Longest = 64;

    private static Vector128<ushort> NotAscii => Vector128.Create((ushort)0xFF80);

    /// <summary>Writes the text if all of it is ASCII; otherwise what was written means nothing.</summary>
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
        var all = Vector128<ushort>.Zero;
        for (nuint i = 0; i < last; i += (nuint)Vector128<ushort>.Count)
            all |= Narrow(ref source, ref target, i);
        all |= Narrow(ref source, ref target, last);
        return (all & NotAscii) == Vector128<ushort>.Zero;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector128<ushort> Narrow(ref ushort source, ref byte target, nuint at)
    {
        var block = Vector128.LoadUnsafe(ref source, at);
        Vector128.Narrow(block, block).GetLower().StoreUnsafe(ref target, at);
        return block;
    }

    private static bool TryCopy(ref ushort source, ref byte target, int length)
    {
        uint all = 0;
        for (var i = 0; i < length; i++)
        {
            var c = Unsafe.Add(ref source, i);
            all |= c;
            Unsafe.Add(ref target, i) = (byte)c;
        }

        return all < 0x80;
    }
}
