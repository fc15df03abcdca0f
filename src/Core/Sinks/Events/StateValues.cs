using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace AsyncLog;

/// <summary>Reads the argument values of one type of state where they lie. Implemented by Capture for the states of Microsoft.Extensions.Logging.</summary>
internal abstract class StateValues
{
    /// <summary>Writes parts of a template from <paramref name="next"/> on, while each is a literal and a value whose text is printable ASCII and known to fit.</summary>
    /// <returns>The index of the first part that was not written.</returns>
    public abstract int WritePlain(ref byte state, MessageTemplate template, int next, Span<byte> output, out int written);

    /// <summary>Reads one value into a target that is null.</summary>
    public abstract void Read(ref byte state, int index, ref LogValue target);

    /// <summary>Adds all values under the names.</summary>
    public abstract void ReadAll(ref byte state, string[] names, PropertyList target);
}

/// <summary>The parts of a template that <see cref="StateValues.WritePlain"/> may write, compiled for one type of state: a literal, and where the value after it lies.</summary>
/// <param name="values">The reader of the type.</param>
/// <param name="parts">As many as the template has.</param>
internal sealed class PlainParts(StateValues values, PlainPart[] parts)
{
    public readonly StateValues Values = values;
    public readonly PlainPart[] Parts = parts;

    /// <summary>True if no part has a value that is never written here.</summary>
    public readonly bool IsComplete = !Array.Exists(parts, static part => part.Form == PlainForm.Other);
}

/// <summary>One of them: everything that the loop reads, in one cache line.</summary>
internal readonly struct PlainPart(in Utf8Literal literal, PlainForm form, int offset, int digits)
{
    /// <summary>The <see cref="Digits"/> of a value without a format.</summary>
    public const int NoFormat = -2;

    public readonly Utf8Literal Literal = literal;
    public readonly int Offset = offset;
    public readonly PlainForm Form = form;

    /// <summary>The decimals of a fixed-point format; negative: none, or another format.</summary>
    public readonly sbyte Digits = (sbyte)digits;
}

/// <summary>How the value of a <see cref="PlainPart"/> is written.</summary>
internal enum PlainForm : byte
{
    /// <summary>Not here: the part is written by <see cref="MessageRenderer"/>.</summary>
    Other,

    /// <summary>There is no value.</summary>
    None,
    String,
    Int32,
    Int64,

    /// <summary>A <see cref="double"/> with fixed decimals.</summary>
    Fixed,

    /// <summary>A string in quotes that needs no escapes in JSON.</summary>
    JsonString,

    /// <summary>A <see cref="double"/> in its shortest form.</summary>
    Shortest,

    /// <summary>A value of a message in a box; the offset is the index in an array of arguments.</summary>
    Boxed,

    /// <summary>A value of JSON in a box.</summary>
    BoxedJson,
}

/// <summary>A state that lies on the stack of <c>ILogger.Log</c> and is read only where a layout needs it.</summary>
/// <remarks>The pointer is valid because the state is a by-value parameter of <c>ILogger.Log</c>: it lies in that method's stack frame, which the garbage collector
/// does not move, and its address was taken, so it stays in memory. <c>LogEvent.End</c> clears the pointer before that frame is left.</remarks>
internal unsafe struct LazyState
{
    private byte* _state;
    private StateValues? _values;

    /// <summary>True if there is no state, or it was read.</summary>
    public readonly bool IsEmpty => _state is null;

    /// <summary>The number of values.</summary>
    public int Count { get; private set; }

    /// <param name="state">The parameter of <c>ILogger.Log</c>, on the stack.</param>
    /// <param name="values">Reads it.</param>
    /// <param name="count">The number of values.</param>
    public void Set(ref byte state, StateValues values, int count)
    {
        Debug.Assert(IsEmpty, "LogEvent.End cleared the state of the event before.");
        _state = (byte*)Unsafe.AsPointer(ref state);
        Count = count;
        // Shared by all events of the type: kept, and compared instead of stored again.
        if (!ReferenceEquals(_values, values))
            _values = values;
    }

    public void Clear() => _state = null;

    public readonly int WritePlain(MessageTemplate template, int next, Span<byte> output, out int written)
        => _values!.WritePlain(ref *_state, template, next, output, out written);

    public readonly void Read(int index, ref LogValue target) => _values!.Read(ref *_state, index, ref target);

    public readonly void ReadAll(string[] names, PropertyList target) => _values!.ReadAll(ref *_state, names, target);
}

/// <summary>The values for the arguments of a template: captured ones, or those of a state that is read one by one.</summary>
// Made in one place and never copied: a copy right after the fields were stored waits for all of them.
internal readonly ref struct TemplateArguments
{
    private static readonly LazyState None = new();
    private readonly ReadOnlySpan<LogProperty> _captured;
    private readonly ref readonly LazyState _lazy;

    public TemplateArguments(ReadOnlySpan<LogProperty> captured)
        : this(captured, in None)
    {
    }

    /// <param name="captured">The values that are captured.</param>
    /// <param name="lazy">The state; empty: the values are captured.</param>
    public TemplateArguments(ReadOnlySpan<LogProperty> captured, [UnscopedRef] ref readonly LazyState lazy)
    {
        _captured = captured;
        _lazy = ref lazy;
    }

    public int Count => _lazy.IsEmpty ? _captured.Length : _lazy.Count;

    /// <summary>Writes parts of the template as <see cref="StateValues.WritePlain"/> does; none where the values are captured.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int WritePlain(MessageTemplate template, int next, Span<byte> output, out int written)
    {
        if (!_lazy.IsEmpty)
            return _lazy.WritePlain(template, next, output, out written);
        written = 0;
        return next;
    }

    /// <summary>Returns one value.</summary>
    /// <param name="index">Below <see cref="Count"/>.</param>
    /// <param name="room">Memory for a value that is read now.</param>
    public ref readonly LogValue Get(int index, ref LogValue room)
    {
        if (_lazy.IsEmpty)
            return ref _captured[index].ValueRef;
        room = default;
        _lazy.Read(index, ref room);
        return ref room;
    }
}
