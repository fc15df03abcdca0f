using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;

namespace AsyncLog;

/// <summary>A constant text as UTF-8; a short one is stored in place and copied as one block.</summary>
internal readonly struct Utf8Literal
{
    /// <summary>The bytes copied at once; text up to this length is short.</summary>
    public const int Block = 32;

    private readonly int _length;

    // The beginning of the text is stored here: memory of its own would be one more cache line per part of each record.
    private readonly FirstBytes _block;
    private readonly byte[] _utf8;

    /// <summary>Initializes a literal with UTF-8.</summary>
    /// <param name="utf8">The bytes; they are copied.</param>
    public Utf8Literal(ReadOnlySpan<byte> utf8)
    {
        _length = utf8.Length;
        _utf8 = utf8.ToArray();
        utf8[..Math.Min(_length, Block)].CopyTo(_block);
    }

    /// <summary>Initializes a literal with text.</summary>
    public Utf8Literal(string text)
        : this(Encoding.UTF8.GetBytes(text))
    {
    }

    /// <summary>Gets the length in bytes.</summary>
    public int Length => _length;

    /// <summary>Gets the bytes.</summary>
    public ReadOnlySpan<byte> Span => _utf8;

    /// <summary>Copies the first <see cref="Block"/> bytes: all of a short text, and zeros after it.</summary>
    /// <param name="destination">At least <see cref="Block"/> bytes long.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void CopyBlockTo(Span<byte> destination)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(destination.Length, Block);
        Unsafe.WriteUnaligned(ref MemoryMarshal.GetReference(destination), _block);
    }

    // Not a Vector256: crossgen2 compiles no method that uses a type with such a field.
    [InlineArray(Block)]
    private struct FirstBytes
    {
        [SuppressMessage("Roslynator", "RCS1213", Justification = "The element of the inline array.")]
        private byte _first;
    }
}
