using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;
using System.Text;

namespace AsyncLog;

/// <summary>Constant text, kept in memory of at least one block so that short text is copied as a whole block.</summary>
internal readonly struct Utf8Literal
{
    /// <summary>Bytes copied at once; text up to this length is short.</summary>
    public const int Block = 32;

    /// <summary>Bytes of the text.</summary>
    public readonly int Length;

    private readonly byte[] _padded;

    public Utf8Literal(ReadOnlySpan<byte> utf8)
    {
        Length = utf8.Length;
        _padded = new byte[Math.Max(Length, Block)];
        utf8.CopyTo(_padded);
    }

    public Utf8Literal(string text)
        : this(Encoding.UTF8.GetBytes(text))
    {
    }

    public ReadOnlySpan<byte> Span => _padded.AsSpan(0, Length);

    /// <summary>Copies a short text as a whole block.</summary>
    /// <param name="destination">At least <see cref="Block"/> bytes long.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void CopyBlockTo(Span<byte> destination)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(destination.Length, Block);
        Vector256.LoadUnsafe(ref First).StoreUnsafe(ref MemoryMarshal.GetReference(destination));
    }

    /// <summary>The first of at least <see cref="Block"/> bytes.</summary>
    public ref byte First => ref MemoryMarshal.GetArrayDataReference(_padded);
}
