using System.Collections;
using System.Runtime.CompilerServices;
using System.Text.Json;
using System.Text.Json.Nodes;
using Microsoft.Extensions.Primitives;

namespace AsyncLog;

/// <summary>Values as elements of JSON: in the JSON layout, and inside the compact JSON that is a collection's text.</summary>
/// <remarks>Written by hand instead of with <c>Utf8JsonWriter</c>: escapes are lower case, and output can be measured, truncated and undone.</remarks>
internal static class JsonText
{
    private const int MaxDepth = 8;
    private const int MaxElements = 128;

    /// <summary>Writes the element of a value in the JSON layout.</summary>
    public static void Write(ref Utf8Writer writer, in LogValue value, FormatScratch scratch)
    {
        switch (value.Kind)
        {
            case LogValueKind.String:
                WriteString(ref writer, scratch.Bounded(value.String!), EscapeStyle.Json);
                break;
            case LogValueKind.Int32:
                writer.WriteNumber(value.Raw<int>());
                break;
            case LogValueKind.Int64:
                writer.WriteNumber(value.Raw<long>());
                break;
            case LogValueKind.Double when double.IsFinite(value.Raw<double>()):
                writer.WriteNumber(value.Raw<double>());
                break;
            default:
                WriteRare(ref writer, value, scratch);
                break;
        }
    }

    /// <summary>Writes a quoted string.</summary>
    public static void WriteString(ref Utf8Writer writer, scoped ReadOnlySpan<char> text, EscapeStyle style)
    {
        if (text.Length <= AsciiText.MaxPlainLength)
        {
            var room = writer.GetSpan(text.Length + 2);
            if (AsciiText.TryWriteJson(text, room[1..]))
            {
                room[0] = (byte)'"';
                room[text.Length + 1] = (byte)'"';
                writer.Advance(text.Length + 2);
                return;
            }
        }
        writer.Write((byte)'"');
        Escaping.Write(ref writer, text, style);
        writer.Write((byte)'"');
    }

    /// <summary>Writes a quoted string.</summary>
    public static void WriteString(ref Utf8Writer writer, scoped ReadOnlySpan<byte> utf8, EscapeStyle style)
    {
        writer.Write((byte)'"');
        Escaping.Write(ref writer, utf8, style);
        writer.Write((byte)'"');
    }

    /// <summary>Returns true if an object is written as array or object.</summary>
    public static bool IsContainer(object value) => value is IEnumerable and not string && !ObjectText.IsBytes(value) && !KeyedPairs.IsScalar(value);

    /// <summary>Appends a collection that is a value itself: as JSON, or the placeholder without quotes when it throws.</summary>
    public static void AppendContainer(object value, RecordBuffer output, EscapeStyle style, FormatScratch scratch)
    {
        var start = output.Length;
        var culprit = TryAppendContainer(value, output, style, 1, scratch);
        if (culprit is null)
            return;
        output.Rewind(start);
        ObjectText.AppendError(culprit, output);
    }

    /// <summary>Appends JSON as a text: a string without quotes, anything else as JSON.</summary>
    public static void AppendText(object json, RecordBuffer output, FormatScratch scratch)
    {
        var content = ContentOf(json, scratch);
        if (content.Kind == LogValueKind.Null)
            output.Append("null"u8);
        else
            ValueText.Append(content, output, scratch);
    }

    /// <summary>Appends compact JSON as a text: a string without quotes and escapes, anything else as it is.</summary>
    public static void AppendText(ReadOnlySpan<byte> json, RecordBuffer output)
    {
        if (json is not [(byte)'"', ..])
        {
            output.Append(json);
            return;
        }
        var reader = new Utf8JsonReader(json);
        reader.Read();
        output.Advance(reader.CopyString(output.GetSpan(json.Length)));
    }

    private static LogValue ContentOf(object json, FormatScratch scratch)
    {
        var content = KeyedPairs.ContentOf(json, out var hasFailed);
        if (hasFailed)
            scratch.Errors++;
        return content;
    }

    // Apart, so that the usual values do not pay for the room that these need on the stack.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void WriteRare(ref Utf8Writer writer, in LogValue value, FormatScratch scratch)
    {
        if (value.Kind == LogValueKind.Json)
        {
            writer.Write(value.Json);
            return;
        }
        if (value.Kind != LogValueKind.Object)
        {
            WriteSimple(ref writer, value, EscapeStyle.Json);
            return;
        }
        var output = scratch.NewValue();
        AppendObject(value.Object!, output, EscapeStyle.Json, 1, scratch);
        writer.Write(output.WrittenSpan);
    }

    private static void WriteSimple(ref Utf8Writer writer, in LogValue value, EscapeStyle style)
    {
        if (value.Kind == LogValueKind.Null)
        {
            writer.Write("null"u8);
        }
        else if (value.Kind == LogValueKind.Boolean || ValueText.IsJsonNumber(value))
        {
            ValueText.TryWriteClean(ref writer, value);
        }
        else if (value.Kind == LogValueKind.Char)
        {
            WriteString(ref writer, [value.Raw<char>()], style);
        }
        else if (value.Kind == LogValueKind.Enum)
        {
            WriteString(ref writer, value.Names.GetName(value.EnumBits), style);
        }
        else
        {
            writer.Write((byte)'"');
            ValueText.TryWriteClean(ref writer, value);
            writer.Write((byte)'"');
        }
    }

    private static void AppendElement(object? item, RecordBuffer output, EscapeStyle style, int depth, FormatScratch scratch)
    {
        var value = LogValue.FromObject(item);
        if (value.Kind == LogValueKind.Object)
        {
            AppendObject(item!, output, style, depth, scratch);
            return;
        }
        AppendScalar(value, output, style, scratch);
    }

    private static void AppendScalar(in LogValue value, RecordBuffer output, EscapeStyle style, FormatScratch scratch)
    {
        var writer = new Utf8Writer(output);
        if (value.Kind == LogValueKind.String)
            WriteString(ref writer, scratch.Bounded(value.String!), style);
        else
            WriteSimple(ref writer, value, style);
        writer.Flush();
    }

    private static void AppendObject(object value, RecordBuffer output, EscapeStyle style, int depth, FormatScratch scratch)
    {
        if (KeyedPairs.IsJson(value))
        {
            var content = ContentOf(value, scratch);
            if (content.Kind != LogValueKind.Object)
            {
                AppendScalar(content, output, style, scratch);
                return;
            }
            value = content.Object!;
        }
        if (IsContainer(value))
        {
            var start = output.Length;
            if (TryAppendContainer(value, output, style, depth, scratch) is not { } culprit)
                return;
            output.Rewind(start);
            scratch.Raw.Reset(scratch.ValueLimit);
            ObjectText.AppendError(culprit, scratch.Raw);
        }
        else
        {
            scratch.Raw.Reset(scratch.ValueLimit);
            ObjectText.Append(value, null, scratch.Raw, scratch);
        }
        var writer = new Utf8Writer(output);
        if (ValueText.IsJsonNumber(LogValue.FromObject(value)))
            writer.Write(scratch.Raw.WrittenSpan);
        else
            WriteString(ref writer, scratch.Raw.WrittenSpan, style);
        writer.Flush();
    }

    /// <summary>Appends an array or object; returns the exception that ended it, or null.</summary>
    private static Exception? TryAppendContainer(object value, RecordBuffer output, EscapeStyle style, int depth, FormatScratch scratch)
    {
        if (depth > MaxDepth || !RuntimeHelpers.TryEnsureSufficientExecutionStack())
        {
            output.Append("null"u8);
            return null;
        }
        try
        {
            value = SequenceReads.Of((IEnumerable)value, scratch);
            if (value is IDictionary dictionary)
                AppendDictionary(dictionary, output, style, depth, scratch);
            else if (value is IEnumerable<KeyValuePair<string, object?>> pairs)
                AppendPairs(pairs, output, style, depth, scratch);
            else if (value is IEnumerable<KeyValuePair<string, string?>> texts)
                AppendPairs(texts, output, style, depth, scratch);
            else if (value is IEnumerable<KeyValuePair<string, JsonNode?>> nodes)
                AppendPairs(nodes, output, style, depth, scratch);
            else if (value is IEnumerable<KeyValuePair<string, StringValues>> headers)
                AppendPairs(headers, output, style, depth, scratch);
            else if (KeyedPairs.Of((IEnumerable)value) is { } keyed)
                AppendKeyed(keyed, (IEnumerable)value, output, style, depth, scratch);
            else
                AppendArray((IEnumerable)value, output, style, depth, scratch);
            return null;
        }
        catch (Exception exception)
        {
            scratch.Errors++;
            return exception;
        }
    }

    private static void AppendArray(IEnumerable items, RecordBuffer output, EscapeStyle style, int depth, FormatScratch scratch)
    {
        output.Append("["u8);
        var count = 0;
        foreach (var item in items)
        {
            if (count == MaxElements || IsExhausted(output, scratch))
                break;
            if (count++ > 0)
                output.Append(","u8);
            AppendElement(item, output, style, depth + 1, scratch);
        }
        output.Append("]"u8);
    }

    private static void AppendDictionary(IDictionary items, RecordBuffer output, EscapeStyle style, int depth, FormatScratch scratch)
    {
        var members = new JsonMembers(output, stackalloc int[JsonMembers.Room(MaxElements)]);
        var entries = items.GetEnumerator();
        try
        {
            for (var count = 0; count < MaxElements && !IsExhausted(output, scratch) && entries.MoveNext(); count++)
            {
                if (TryStartMember(ref members, entries.Key, style, scratch))
                    AppendElement(entries.Value, output, style, depth + 1, scratch);
            }
        }
        finally
        {
            (entries as IDisposable)?.Dispose();
        }
        members.Close();
    }

    private static void AppendPairs<T>(
        IEnumerable<KeyValuePair<string, T>> items, RecordBuffer output, EscapeStyle style, int depth, FormatScratch scratch)
    {
        var members = new JsonMembers(output, stackalloc int[JsonMembers.Room(MaxElements)]);
        var count = 0;
        foreach (var item in items)
        {
            if (count++ == MaxElements || IsExhausted(output, scratch))
                break;
            if (TryStartMember(ref members, item.Key, style, scratch))
                AppendElement(item.Value, output, style, depth + 1, scratch);
        }
        members.Close();
    }

    private static void AppendKeyed(KeyedPairs pairs, IEnumerable items, RecordBuffer output, EscapeStyle style, int depth, FormatScratch scratch)
    {
        var members = new JsonMembers(output, stackalloc int[JsonMembers.Room(MaxElements)]);
        var entries = pairs.Enumerate(items);
        try
        {
            for (var count = 0; count < MaxElements && !IsExhausted(output, scratch) && entries.MoveNext(); count++)
            {
                if (TryStartMember(ref members, pairs.KeyOf(entries.Current!), style, scratch))
                    AppendElement(pairs.ValueOf(entries.Current!), output, style, depth + 1, scratch);
            }
        }
        finally
        {
            (entries as IDisposable)?.Dispose();
        }
        members.Close();
    }

    private static bool TryStartMember(ref JsonMembers members, object? key, EscapeStyle style, FormatScratch scratch)
    {
        scratch.Raw.Reset(scratch.ValueLimit);
        if (key is not null)
            ValueText.Append(LogValue.FromObject(key), scratch.Raw, scratch);
        if (key is null || (style == EscapeStyle.Json && scratch.Raw.Length == 0))
            return false;
        members.Start(scratch.Raw.WrittenSpan, style);
        return true;
    }

    /// <summary>Collections that contain themselves or one another would grow without end although depth and elements are limited.</summary>
    private static bool IsExhausted(RecordBuffer output, FormatScratch scratch) => output.IsTruncated || ++scratch.Elements > scratch.ValueLimit;
}

/// <summary>The members of one JSON object in the making: of equal keys the last wins and takes the last place.</summary>
internal ref struct JsonMembers
{
    private readonly RecordBuffer _output;
    private readonly Span<int> _starts;
    private readonly Span<int> _keyLengths;
    private int _count;

    /// <summary>Opens the object; <paramref name="room"/> is as long as <see cref="Room"/> returns.</summary>
    public JsonMembers(RecordBuffer output, Span<int> room)
    {
        _output = output;
        _starts = room[..(room.Length / 2)];
        _keyLengths = room[(room.Length / 2)..];
        output.Append("{"u8);
    }

    public static int Room(int members) => members * 2;

    /// <summary>Writes the key; the caller writes the value next.</summary>
    public void Start(scoped ReadOnlySpan<byte> key, EscapeStyle style)
    {
        // Every member begins with a comma; the first one goes when the object is closed.
        var start = _output.Length;
        var writer = new Utf8Writer(_output);
        writer.Write((byte)',');
        JsonText.WriteString(ref writer, key, style);
        writer.Write((byte)':');
        writer.Flush();
        if (_output.IsTruncated)
            return;
        var keyLength = _output.Length - start;
        start -= RemoveEarlier(_output.WrittenSpan[start..]);
        _starts[_count] = start;
        _keyLengths[_count++] = keyLength;
    }

    public void Close()
    {
        if (_count > 0 && !_output.IsTruncated)
            _output.Remove(_starts[0], 1);
        _output.Append("}"u8);
    }

    /// <summary>Removes the earlier member with the same key, if there is one; returns its length.</summary>
    private int RemoveEarlier(scoped ReadOnlySpan<byte> key)
    {
        for (var i = 0; i < _count; i++)
        {
            if (_keyLengths[i] != key.Length || !_output.WrittenSpan.Slice(_starts[i], key.Length).SequenceEqual(key))
                continue;
            var end = i + 1 < _count ? _starts[i + 1] : _output.Length - key.Length;
            var length = end - _starts[i];
            _output.Remove(_starts[i], length);
            for (var j = i + 1; j < _count; j++)
            {
                _starts[j - 1] = _starts[j] - length;
                _keyLengths[j - 1] = _keyLengths[j];
            }
            _count--;
            return length;
        }
        return 0;
    }
}
