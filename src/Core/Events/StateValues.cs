using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace AsyncLog;

/// <summary>Reads the argument values of one type of state where they lie. Implemented by Capture for the states of Microsoft.Extensions.Logging.</summary>
internal abstract class StateValues
{
    /// <summary>Writes parts of a template from <paramref name="next"/> on, while each is a literal and a value whose text is printable ASCII and known to fit.</summary>
    /// <returns>The index of the first part that was not written.</returns>
    public abstract int WriteFast(ref byte state, FastPathPart[] parts, int next, Span<byte> output, out int written);

    /// <summary>Writes all parts of a record as <see cref="WriteFast"/> does; a part may have the text of an earlier one.</summary>
    /// <returns>False: the content of the output is undefined.</returns>
    public abstract bool TryWriteCopying(ref byte state, FastPathPart[] parts, Span<byte> output, out int written);

    /// <summary>Writes all parts of a record as <see cref="TryWriteCopying"/> does, with inserts.</summary>
    /// <returns>False: the content of the output is undefined.</returns>
    public abstract bool TryWriteInserting(ref byte state, FastPathPart[] parts, IInserts inserts, Span<byte> output, out int written);

    /// <summary>The parts of a template compiled for this type of state: on first use, then found in the template.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public FastPathParts PartsOf(MessageTemplate template)
        => template.FastPaths is { } first && ReferenceEquals(first.Owner, this) ? first : FindParts(template);

    /// <summary>Compiles the parts of a template.</summary>
    public abstract FastPathPart[] Compile(MessageTemplate template);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private FastPathParts FindParts(MessageTemplate template)
    {
        var found = template.FastPaths;
        while (found is not null && !ReferenceEquals(found.Owner, this))
            found = found.Next;
        // A race loses one of them, no more.
        return found ?? (template.FastPaths = new FastPathParts(this, Compile(template), template.FastPaths));
    }

    /// <summary>Reads one value into a target that is null.</summary>
    public abstract void Read(ref byte state, int index, ref LogValue target);

    /// <summary>Adds all values under the names.</summary>
    public abstract void ReadAll(ref byte state, string[] names, PropertyList target);
}

/// <summary>A state that lies on the stack of <c>ILogger.Log</c> and is read only where a layout needs it.</summary>
/// <remarks>The pointer is valid because the state is a by-value parameter of <c>ILogger.Log</c>: it lies in that method's stack frame, which the garbage collector
/// does not move, and its address was taken, so it stays in memory. <c>LogEvent.Reset</c> clears the pointer before that frame is left.</remarks>
internal unsafe struct LazyState
{
    private byte* _state;
    private StateValues? _values;

    /// <summary>True if there is no state, or it was read.</summary>
    public readonly bool IsEmpty => _state is null;

    /// <summary>The number of values.</summary>
    public int Count { get; private set; }

    /// <param name="state">The parameter of <c>ILogger.Log</c>, on the stack.</param>
    public void Set(ref byte state, StateValues values, int count)
    {
        Debug.Assert(IsEmpty, "LogEvent.Reset cleared the state of the event before.");
        _state = (byte*)Unsafe.AsPointer(ref state);
        Count = count;
        // Shared by all events of the type: kept, and compared instead of stored again.
        if (!ReferenceEquals(_values, values))
            _values = values;
    }

    public void Clear() => _state = null;

    public readonly int WriteFast(MessageTemplate template, int next, Span<byte> output, out int written)
        => _values!.WriteFast(ref *_state, _values.PartsOf(template).Parts, next, output, out written);

    public readonly void Read(int index, ref LogValue target) => _values!.Read(ref *_state, index, ref target);

    public readonly void ReadAll(string[] names, PropertyList target) => _values!.ReadAll(ref *_state, names, target);
}

/// <summary>The values for the arguments of a template: captured ones, or those of a state that is read one by one.</summary>
// Made in one place and never copied: a copy right after the fields were stored waits for all of them.
internal readonly ref struct TemplateArguments
{
    private static readonly LazyState[] None = [default];
    private readonly ReadOnlySpan<LogProperty> _captured;
    private readonly ref readonly LazyState _lazy;

    public TemplateArguments(ReadOnlySpan<LogProperty> captured)
        : this(captured, in None[0])
    {
    }

    /// <param name="lazy">The state; empty: the values are captured.</param>
    public TemplateArguments(ReadOnlySpan<LogProperty> captured, [UnscopedRef] ref readonly LazyState lazy)
    {
        _captured = captured;
        _lazy = ref lazy;
    }

    public int Count => _lazy.IsEmpty ? _captured.Length : _lazy.Count;

    /// <summary>Writes parts of the template as <see cref="StateValues.WriteFast"/> does; none if the values are captured.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int WriteFast(MessageTemplate template, int next, Span<byte> output, out int written)
    {
        if (!_lazy.IsEmpty)
            return _lazy.WriteFast(template, next, output, out written);
        written = 0;
        return next;
    }

    /// <summary>Returns one value.</summary>
    /// <param name="index">Below <see cref="Count"/>.</param>
    public ref readonly LogValue Get(int index, ref LogValue room)
    {
        if (_lazy.IsEmpty)
            return ref _captured[index].ValueRef;
        room = default;
        _lazy.Read(index, ref room);
        return ref room;
    }
}
