using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace AsyncLog;

/// <summary>The values for the holes of a template: captured ones, or those of a state that is read hole by hole.</summary>
internal readonly ref struct HoleValues
{
    private readonly ReadOnlySpan<LogProperty> _captured;
    private readonly ref readonly LazyState _lazy;
    private readonly bool _isLazy;

    public HoleValues(ReadOnlySpan<LogProperty> captured)
    {
        _captured = captured;
        Count = captured.Length;
    }

    public HoleValues([UnscopedRef] ref readonly LazyState lazy)
    {
        _lazy = ref lazy;
        _isLazy = true;
        Count = lazy.Count;
    }

    public int Count { get; }

    /// <summary>Writes the value of a hole, as <see cref="PlainValue"/> does; only a value that was not captured.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int TryWrite(Span<byte> room, in MessagePart part) => _isLazy ? _lazy.TryWrite(room, in part) : PlainValue.NotPlain;

    /// <summary>The value of a hole.</summary>
    /// <param name="hole">Its number, below <see cref="Count"/>.</param>
    /// <param name="room">Where a value that is read now may lie.</param>
    public ref readonly LogValue Get(int hole, ref LogValue room)
    {
        if (!_isLazy)
            return ref _captured[hole].ValueRef;
        room = default;
        _lazy.Read(hole, ref room);
        return ref room;
    }
}
