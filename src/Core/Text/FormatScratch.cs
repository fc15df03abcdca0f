namespace AsyncLog;

/// <summary>Memory that formatters reuse from record to record. Every event object has its own, so that a log call inside a formatter cannot interfere.</summary>
internal sealed class FormatScratch
{
    private const int MinTextLength = 256;
    private const int FirstLimit = 256 << 10;

    /// <summary>Multiple of a record's limit that is rendered before rendering stops.</summary>
    private const int Overshoot = 4;

    private object? _formatterState;
    private List<object>? _others;
    private FormatScratch? _messages;

    internal FormatScratch()
        : this(new CleanMark())
    {
    }

    private FormatScratch(CleanMark mark)
    {
        Mark = mark;
        Output = new RecordBuffer(mark);
        Value = new RecordBuffer(mark);
        Raw = new RecordBuffer(mark);
        Aligned = new RecordBuffer(mark);
        Part = new RecordBuffer(mark);
        Kept = new RecordBuffer(mark);
    }

    /// <summary>Gets the cached timestamps.</summary>
    public TimestampCache Timestamps { get; } = new();

    /// <summary>A record for an output that is no <see cref="RecordBuffer"/>.</summary>
    internal RecordBuffer Output { get; }

    /// <summary>A value that has to be escaped or measured.</summary>
    internal RecordBuffer Value { get; }

    /// <summary>The text that user code gave for one object.</summary>
    internal RecordBuffer Raw { get; }

    /// <summary>A value that is aligned.</summary>
    internal RecordBuffer Aligned { get; }

    /// <summary>One part of a record that is truncated.</summary>
    internal RecordBuffer Part { get; }

    /// <summary>The properties and scopes that a truncated record keeps.</summary>
    internal RecordBuffer Kept { get; }

    /// <summary>The scratch of messages and scope texts: a layout may use them while its own is in use.</summary>
    internal FormatScratch Messages => _messages ??= new FormatScratch(Mark);

    /// <summary>What was read for one layout and is kept for the others until the end of the event.</summary>
    internal IDisposable? Held { get; private set; }

    /// <summary>Marked if there is something to release at the end of the event.</summary>
    internal CleanMark Mark { get; }

    /// <summary>Values that threw since this was set to zero.</summary>
    internal int Errors { get; set; }

    /// <summary>The maximum number of bytes, characters and elements of one value that are rendered.</summary>
    internal int ValueLimit { get; set; } = FirstLimit;

    /// <summary>Elements of collections rendered for the current value; bounds nested and repeated ones.</summary>
    internal int Elements { get; set; }

    /// <summary>Gets the object in which a formatter keeps its own reusable memory: one of each type, made on first use.</summary>
    /// <typeparam name="T">A type of the formatter's own. It releases large memory itself, at the end of each record.</typeparam>
    public T Get<T>()
        where T : class, new()
        => _formatterState is T known ? known : GetOther<T>();

    /// <summary>The <see cref="ValueLimit"/> for records of a size.</summary>
    internal static int LimitFor(int maxRecordSize) => (int)Math.Min((long)maxRecordSize * Overshoot, Array.MaxLength / 2);

    /// <summary>Prepares for a text of which so many bytes are needed.</summary>
    internal void Want(int length)
    {
        ValueLimit = LimitFor(Math.Max(length, MinTextLength));
        Errors = 0;
    }

    /// <summary>Gets the part of a text within <see cref="ValueLimit"/>.</summary>
    internal ReadOnlySpan<char> Bounded(string text) => text.Length <= ValueLimit ? text : text.AsSpan(0, ValueLimit);

    /// <summary>Gets <see cref="Value"/>, emptied.</summary>
    internal RecordBuffer NewValue()
    {
        Elements = 0;
        Value.Reset(ValueLimit);
        return Value;
    }

    /// <summary>Keeps an object until the end of the event; it is disposed then.</summary>
    internal void Hold(IDisposable held)
    {
        Held = held;
        Mark.IsSet = true;
    }

    /// <summary>Releases what is held and the memory of a huge record. Allocates nothing.</summary>
    internal void Clean()
    {
        Mark.IsSet = false;
        Held?.Dispose();
        Held = null;
        Trim();
        _messages?.Trim();
    }

    private void Trim()
    {
        Output.Trim(CleanMark.Keep);
        Value.Trim(CleanMark.Keep);
        Raw.Trim(CleanMark.Keep);
        Aligned.Trim(CleanMark.Keep);
        Part.Trim(CleanMark.Keep);
        Kept.Trim(CleanMark.Keep);
    }

    // A thread that logs to several sinks uses several types in turn. The list has one entry per formatter with such a type.
    private T GetOther<T>()
        where T : class, new()
    {
        _others ??= [];
        var found = _others.Find(static other => other is T) as T;
        if (found is null)
            _others.Add(found = new T());
        _formatterState = found;
        return found;
    }
}
