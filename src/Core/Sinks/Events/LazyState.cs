using System.Runtime.CompilerServices;

namespace AsyncLog;

/// <summary>A state that lies on the stack of <c>ILogger.Log</c> and is read only where a layout asks for it.</summary>
/// <remarks>The pointer is valid because the state is a by-value parameter of <c>ILogger.Log</c>: it lies in that method's stack frame, which the garbage collector
/// does not move, and its address was taken, so it stays in memory. <c>LogEvent.End</c> clears the pointer before that frame is left.</remarks>
internal unsafe struct LazyState
{
    private byte* _state;
    private StateLayout? _layout;
    private MessageTemplate? _template;

    /// <summary>Whether there is none, or it was read.</summary>
    public readonly bool IsEmpty => _state is null;

    public readonly MessageTemplate Template => _template!;

    /// <summary>The number of values.</summary>
    public readonly int Count => _template!.Names.Length;

    /// <param name="state">The parameter of <c>ILogger.Log</c>, on the stack.</param>
    /// <param name="layout">Where the values lie in it.</param>
    /// <param name="template">The template that goes with it.</param>
    public void Set(ref byte state, StateLayout layout, MessageTemplate template)
    {
        _state = (byte*)Unsafe.AsPointer(ref state);
        // Both are shared by all events of their kind: kept, and compared instead of stored again.
        if (!ReferenceEquals(_layout, layout))
            _layout = layout;
        if (!ReferenceEquals(_template, template))
            _template = template;
    }

    public void Clear() => _state = null;

    /// <summary>Writes the value of a hole, as <see cref="PlainValue"/> does.</summary>
    public readonly int TryWrite(Span<byte> room, in MessagePart part) => _layout!.TryWrite(ref *_state, room, in part);

    /// <summary>Reads one value over one that is null.</summary>
    public readonly void Read(int index, ref LogValue target) => _layout!.Read(ref *_state, index, ref target);

    /// <summary>Adds all values under the names of the template.</summary>
    public readonly void ReadAll(PropertyList target) => _layout!.ReadAll(ref *_state, _template!, target);
}
