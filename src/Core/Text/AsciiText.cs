using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;

namespace AsyncLog;

/// <summary>Narrows short UTF-16 text to bytes in one pass that checks and copies at once, without the set-up cost of the transcoder.</summary>
internal static class AsciiText
{
    /// <summary>Longer text is left to the transcoder.</summary>
    public const int Longest = 64;

    /// <summary>Longer text is left to <see cref="Escaping"/>, or in a value to the renderer.</summary>
    public const int MaxPlainLength = 256;

    private const int First = ' ';
    private const int Last = '~';

    /// <summary>The characters that are copied as they are. Implemented by structs, so that the loops are compiled for each.</summary>
    private interface IAllowed
    {
        /// <summary>Adds eight characters to the state.</summary>
        static abstract Vector128<ushort> Combine(Vector128<ushort> state, Vector128<ushort> characters);

        /// <summary>Returns true if all characters added to the state are allowed.</summary>
        static abstract bool IsAllowed(Vector128<ushort> state);

        static abstract bool IsAllowed(uint character);
    }

    /// <summary>Writes the text if all of it is printable ASCII; otherwise the content of the destination is undefined.</summary>
    /// <param name="text">The text, at most <see cref="MaxPlainLength"/> characters.</param>
    /// <param name="destination">The destination; false if it is shorter than the text.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool TryWrite(ReadOnlySpan<char> text, Span<byte> destination) => TryWrite<Printable>(text, destination);

    /// <summary>Writes the text if all of it is printable ASCII without <c>"</c> and <c>\</c>; otherwise the content of the destination is undefined.</summary>
    /// <param name="text">The text, at most <see cref="MaxPlainLength"/> characters.</param>
    /// <param name="destination">The destination; false if it is shorter than the text.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool TryWriteJson(ReadOnlySpan<char> text, Span<byte> destination) => TryWrite<PrintableJson>(text, destination);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool TryWrite<T>(ReadOnlySpan<char> text, Span<byte> destination)
        where T : struct, IAllowed
    {
        if (text.Length > destination.Length)
            return false;
        ref var source = ref Unsafe.As<char, ushort>(ref MemoryMarshal.GetReference(text));
        ref var target = ref MemoryMarshal.GetReference(destination);
        return text.Length >= Vector128<ushort>.Count ? TryNarrow<T>(ref source, ref target, text.Length) : TryCopy<T>(ref source, ref target, text.Length);
    }

    // The last eight characters overlap with those before, so that no remainder needs a loop of its own.
    private static bool TryNarrow<T>(ref ushort source, ref byte target, int length)
        where T : struct, IAllowed
    {
        var last = (nuint)(length - Vector128<ushort>.Count);
        var state = Vector128<ushort>.Zero;
        for (nuint i = 0; i < last; i += (nuint)Vector128<ushort>.Count)
            state = T.Combine(state, Narrow(ref source, ref target, i));
        return T.IsAllowed(T.Combine(state, Narrow(ref source, ref target, last)));
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector128<ushort> Narrow(ref ushort source, ref byte target, nuint at)
    {
        var block = Vector128.LoadUnsafe(ref source, at);
        // As a number: a vector of eight bytes would go through memory.
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref target, at), Vector128.Narrow(block, block).AsUInt64().ToScalar());
        return block;
    }

    private static bool TryCopy<T>(ref ushort source, ref byte target, int length)
        where T : struct, IAllowed
    {
        var isAllowed = true;
        for (var i = 0; i < length; i++)
        {
            uint c = Unsafe.Add(ref source, i);
            isAllowed &= T.IsAllowed(c);
            Unsafe.Add(ref target, i) = (byte)c;
        }

        return isAllowed;
    }

    private readonly struct Printable : IAllowed
    {
        // A character below the first one wraps around to the top.
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        public static Vector128<ushort> Combine(Vector128<ushort> state, Vector128<ushort> characters)
            => Vector128.Max(state, characters - Vector128.Create((ushort)First));

        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        public static bool IsAllowed(Vector128<ushort> state) => !Vector128.GreaterThanAny(state, Vector128.Create((ushort)(Last - First)));

        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        public static bool IsAllowed(uint character) => character - First <= Last - First;
    }

    private readonly struct PrintableJson : IAllowed
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        public static Vector128<ushort> Combine(Vector128<ushort> state, Vector128<ushort> characters)
            => state
                | Vector128.GreaterThan(characters - Vector128.Create((ushort)First), Vector128.Create((ushort)(Last - First)))
                | Vector128.Equals(characters, Vector128.Create((ushort)'"'))
                | Vector128.Equals(characters, Vector128.Create((ushort)'\\'));

        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        public static bool IsAllowed(Vector128<ushort> state) => state == Vector128<ushort>.Zero;

        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        public static bool IsAllowed(uint character) => character - First <= Last - First && character is not ('"' or '\\');
    }
}
