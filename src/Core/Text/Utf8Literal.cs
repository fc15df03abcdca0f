using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;
using System.Text;

namespace AsyncLog;

/// <summary>Constant text; short text lies in place and is copied as a whole block.</summary>
internal readonly struct Utf8Literal
{
    /// <summary>Bytes copied at once; text up to this length is short.</summary>
    public const int Block = 32;

    /// <summary>Bytes of the text.</summary>
    public readonly int Length;

    // The beginning of the text, here: memory of its own would be one more cache line per piece of each record.
    private readonly Vector256<byte> _block;
    private readonly byte[] _utf8;

    public Utf8Literal(ReadOnlySpan<byte> utf8)
    {
        Length = utf8.Length;
        _utf8 = utf8.ToArray();
        Span<byte> block = stackalloc byte[Block];
        block.Clear();
        utf8[..Math.Min(Length, Block)].CopyTo(block);
        _block = Vector256.Create<byte>(block);
    }

    public Utf8Literal(string text)
        : this(Encoding.UTF8.GetBytes(text))
    {
    }

    public ReadOnlySpan<byte> Span => _utf8;

    /// <summary>Copies a short text as a whole block.</summary>
    /// <param name="destination">At least <see cref="Block"/> bytes long.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void CopyBlockTo(Span<byte> destination)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(destination.Length, Block);
        _block.StoreUnsafe(ref MemoryMarshal.GetReference(destination));
    }
}
