using System.Diagnostics.CodeAnalysis;

namespace AsyncLog;

/// <summary>Memory that formatters reuse from record to record. Every event object has its own, so that a log call inside a formatter cannot interfere.</summary>
[Experimental("ASYNCLOG001")]
public sealed class FormatScratch
{
    /// <summary>A larger buffer is released after the record, because each thread that logs keeps its own: 32 KB.</summary>
    internal const int Keep = 32 << 10;

    private const int ShortestText = 256;
    private const int FirstLimit = 256 << 10;

    /// <summary>Multiple of a record's limit that is rendered before rendering stops.</summary>
    private const int Overshoot = 4;

    private object? _formatterState;
    private List<object>? _others;

    internal FormatScratch()
    {
    }

    /// <summary>Gets the cached timestamps.</summary>
    public TimestampCache Timestamps { get; } = new();

    /// <summary>A record for an output that is no <see cref="RecordBuffer"/>.</summary>
    internal RecordBuffer Output => field ??= new RecordBuffer();

    /// <summary>A value that has to be escaped or measured.</summary>
    internal RecordBuffer Value => field ??= new RecordBuffer();

    /// <summary>The text that user code gave for one object.</summary>
    internal RecordBuffer Raw => field ??= new RecordBuffer();

    /// <summary>A value that is aligned.</summary>
    internal RecordBuffer Aligned => field ??= new RecordBuffer();

    /// <summary>One part of a record that is truncated.</summary>
    internal RecordBuffer Part => field ??= new RecordBuffer();

    /// <summary>The properties and scopes that a truncated record keeps.</summary>
    internal RecordBuffer Kept => field ??= new RecordBuffer();

    /// <summary>Values that threw since this was set to zero.</summary>
    internal int Errors { get; set; }

    /// <summary>The most bytes, characters and elements of one value that are rendered.</summary>
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
        ValueLimit = LimitFor(Math.Max(length, ShortestText));
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

    /// <summary>Releases the memory of a huge record, except for <see cref="Output"/>.</summary>
    internal void Trim()
    {
        Value.Trim(Keep);
        Raw.Trim(Keep);
        Aligned.Trim(Keep);
        Part.Trim(Keep);
        Kept.Trim(Keep);
    }

    // Several types in turn where one thread logs to several sinks; the list is as short as there are formatters with such a type.
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
