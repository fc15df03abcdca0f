using System.Collections;
using System.Runtime.CompilerServices;
using System.Text;
using System.Text.Json.Nodes;
using System.Text.Unicode;
using Microsoft.Extensions.Primitives;

namespace AsyncLog;

/// <summary>Writes values of properties as AnyValue, typed where OTLP has the type.</summary>
/// <param name="mostUnits">The most UTF-16 units of a string in a value.</param>
/// <param name="recordSize">The most bytes of a record; a longer value is not rendered to its end, because it will be truncated.</param>
internal sealed class AttributeValues(int mostUnits, int recordSize)
{
    private const int MaxDepth = 8;
    private const int MaxBytesPerUnit = 3;

    // One more than fits, so that the record exceeds its limit.
    private readonly int _units = Math.Min(mostUnits, recordSize + 1);

    /// <summary>The most bytes of a block of bytes, or of all elements of a container, that are rendered.</summary>
    public int MaxBytes => recordSize + 1;

    /// <summary>Writes a value.</summary>
    /// <param name="depth">The level of the value if it is a container; 1 is the attribute's own.</param>
    /// <param name="scratch">The thread's scratch.</param>
    public void Write(ref ProtoWriter writer, byte tag, in LogValue value, int depth, LogEvent logEvent, OtlpScratch scratch)
    {
        if (TryWrite(ref writer, tag, value))
            return;
        switch (value.Kind)
        {
            case LogValueKind.Json: new JsonAnyValue(_units).Write(ref writer, tag, value.Json); break;
            case LogValueKind.Object: WriteObject(ref writer, tag, value, depth, logEvent, scratch); break;
            default: WriteOther(ref writer, tag, value, logEvent); break;
        }
    }

    /// <summary>Writes a value that needs no event. False, and nothing written, for another.</summary>
    public bool TryWrite(ref ProtoWriter writer, byte tag, in LogValue value)
    {
        switch (value.Kind)
        {
            case LogValueKind.Null: AnyValueWriter.WriteEmpty(ref writer, tag); break;
            case LogValueKind.String: WriteText(ref writer, tag, value.String!); break;
            case LogValueKind.Boolean: AnyValueWriter.WriteBool(ref writer, tag, value.Get<bool>()); break;
            case LogValueKind.SByte: AnyValueWriter.WriteInt(ref writer, tag, value.Get<sbyte>()); break;
            case LogValueKind.Byte: AnyValueWriter.WriteInt(ref writer, tag, value.Get<byte>()); break;
            case LogValueKind.Int16: AnyValueWriter.WriteInt(ref writer, tag, value.Get<short>()); break;
            case LogValueKind.UInt16: AnyValueWriter.WriteInt(ref writer, tag, value.Get<ushort>()); break;
            case LogValueKind.Int32: AnyValueWriter.WriteInt(ref writer, tag, value.Get<int>()); break;
            case LogValueKind.UInt32: AnyValueWriter.WriteInt(ref writer, tag, value.Get<uint>()); break;
            case LogValueKind.Int64: AnyValueWriter.WriteInt(ref writer, tag, value.Get<long>()); break;
            case LogValueKind.UInt64 when value.Get<ulong>() <= long.MaxValue: AnyValueWriter.WriteInt(ref writer, tag, (long)value.Get<ulong>()); break;
            case LogValueKind.Half: AnyValueWriter.WriteDouble(ref writer, tag, (double)value.Get<Half>()); break;
            case LogValueKind.Single: AnyValueWriter.WriteDouble(ref writer, tag, value.Get<float>()); break;
            case LogValueKind.Double: AnyValueWriter.WriteDouble(ref writer, tag, value.Get<double>()); break;
            default: return mostUnits == int.MaxValue && TryWriteShort(ref writer, tag, value);
        }

        return true;
    }

    /// <summary>The part of a string that is written.</summary>
    public ReadOnlySpan<char> Bounded(string text) => TextPrefix.Of(text, _units);

    /// <summary>Writes a string within the limit of its length.</summary>
    public void WriteText(ref ProtoWriter writer, byte tag, string text) => writer.WriteNested(tag, OtlpTag.Text, Bounded(text));

    /// <summary>Returns true if a string is within the limit of its length.</summary>
    public bool IsWhole(string text) => text.Length <= _units;

    /// <summary>Writes valid UTF-8 within the limit of its length.</summary>
    private void WriteUtf8(ref ProtoWriter writer, byte tag, scoped ReadOnlySpan<byte> utf8)
        => writer.WriteNested(tag, OtlpTag.Text, TextPrefix.OfUtf8(utf8, _units));

    private void WriteObject(ref ProtoWriter writer, byte tag, in LogValue value, int depth, LogEvent logEvent, OtlpScratch scratch)
    {
        var item = value.Object!;
        switch (item)
        {
            // To the runtime an sbyte[], and an array of an enum over byte, is a byte[] too.
            case byte[] array when array.GetType() == typeof(byte[]): WriteBlock(ref writer, tag, array); break;
            case ReadOnlyMemory<byte> memory: WriteBlock(ref writer, tag, memory.Span); break;
            case Memory<byte> memory: WriteBlock(ref writer, tag, memory.Span); break;
            case var json when KeyedPairs.IsJson(json): WriteJson(ref writer, tag, json, depth, logEvent, scratch); break;
            case IEnumerable items: WriteContainer(ref writer, tag, logEvent.ReadOnce(items), depth, logEvent, scratch); break;
            default: WriteOther(ref writer, tag, value, logEvent); break;
        }
    }

    private void WriteJson(ref ProtoWriter writer, byte tag, object json, int depth, LogEvent logEvent, OtlpScratch scratch)
    {
        var content = KeyedPairs.ContentOf(json, out var hasFailed);
        if (hasFailed)
            logEvent.CountRenderError();
        if (content.Object is IEnumerable items)
            WriteContainer(ref writer, tag, items, depth, logEvent, scratch);
        else
            Write(ref writer, tag, content, depth, logEvent, scratch);
    }

    private void WriteBlock(ref ProtoWriter writer, byte tag, scoped ReadOnlySpan<byte> bytes)
        => writer.WriteNested(tag, OtlpTag.Bytes, bytes[..Math.Min(bytes.Length, MaxBytes)]);

    private void WriteOther(ref ProtoWriter writer, byte tag, in LogValue value, LogEvent logEvent)
    {
        var text = logEvent.GetText(value, (int)Math.Min((long)_units * MaxBytesPerUnit, MaxBytes));
        // Types of the application write their own bytes.
        if (value.Kind == LogValueKind.Object && !Utf8.IsValid(text))
            text = Encoding.UTF8.GetBytes(Encoding.UTF8.GetString(text));
        WriteUtf8(ref writer, tag, text);
    }

    /// <summary>Writes the text of a kind that has a short one, without a detour.</summary>
    private static bool TryWriteShort(ref ProtoWriter writer, byte tag, in LogValue value)
    {
        var start = writer.Open(tag);
        var isWritten = value.Kind switch
        {
            LogValueKind.Guid => writer.TryWriteValue(OtlpTag.Text, value.Get<Guid>(), default),
            LogValueKind.Decimal => writer.TryWriteValue(OtlpTag.Text, value.Get<decimal>(), default),
            LogValueKind.DateTime => writer.TryWriteValue(OtlpTag.Text, value.Get<DateTime>(), "O"),
            LogValueKind.DateTimeOffset => writer.TryWriteValue(OtlpTag.Text, value.Get<DateTimeOffset>(), "O"),
            LogValueKind.TimeSpan => writer.TryWriteValue(OtlpTag.Text, value.Get<TimeSpan>(), "c"),
            _ => false,
        };
        if (isWritten)
            writer.Close(start);
        else
            writer.Position = start - 2;
        return isWritten;
    }

    // Runs user code. An exception becomes a placeholder and is counted. A container that is nested too deep is written empty.
    private void WriteContainer(ref ProtoWriter writer, byte tag, IEnumerable items, int depth, LogEvent logEvent, OtlpScratch scratch)
    {
        if (depth > MaxDepth || !RuntimeHelpers.TryEnsureSufficientExecutionStack())
        {
            AnyValueWriter.WriteEmpty(ref writer, tag);
            return;
        }

        if (depth == 1)
            scratch.Elements = 0;
        var before = writer.Position;
        try
        {
            var elements = new Elements(this, before, depth + 1, logEvent, scratch);
            var start = writer.Open(tag);
            WriteContent(elements, ref writer, items);
            writer.Close(start);
        }
        catch (Exception exception) when (exception is not OutOfMemoryException)
        {
            logEvent.CountRenderError();
            writer.Position = before;
            WriteText(ref writer, tag, $"<error: {exception.GetType().FullName ?? exception.GetType().Name}>");
        }
    }

    private static void WriteContent(in Elements elements, ref ProtoWriter writer, IEnumerable items)
    {
        var isMap = items is IDictionary or IEnumerable<KeyValuePair<string, object?>> or IEnumerable<KeyValuePair<string, string?>>
            or IEnumerable<KeyValuePair<string, JsonNode?>> or IEnumerable<KeyValuePair<string, StringValues>>;
        var keyed = isMap || items is IReadOnlyList<object?> ? null : KeyedPairs.Of(items);
        var start = writer.Open(isMap || keyed is not null ? OtlpTag.Map : OtlpTag.Array);
        switch (items)
        {
            case IDictionary dictionary: WriteDictionary(elements, ref writer, dictionary); break;
            case IEnumerable<KeyValuePair<string, object?>> pairs: WritePairs(elements, ref writer, pairs); break;
            case IEnumerable<KeyValuePair<string, string?>> texts: WritePairs(elements, ref writer, texts); break;
            case IEnumerable<KeyValuePair<string, JsonNode?>> nodes: WritePairs(elements, ref writer, nodes); break;
            case IEnumerable<KeyValuePair<string, StringValues>> headers: WritePairs(elements, ref writer, headers); break;
            case var _ when keyed is not null: WriteKeyed(elements, ref writer, keyed, items); break;
            // To the runtime a uint[], and an array of an enum, is an int[] too.
            case int[] numbers when numbers.GetType() == typeof(int[]): WriteArray<int>(elements, ref writer, numbers); break;
            case long[] numbers when numbers.GetType() == typeof(long[]): WriteArray<long>(elements, ref writer, numbers); break;
            case double[] numbers: WriteArray<double>(elements, ref writer, numbers); break;
            // Arrays and lists of references, without an enumerator.
            case IReadOnlyList<object?> list: WriteList(elements, ref writer, list); break;
            default: WriteSequence(elements, ref writer, items); break;
        }

        writer.Close(start);
    }

    private static void WriteArray<T>(in Elements elements, ref ProtoWriter writer, T[] items)
    {
        for (var i = 0; i < Math.Min(items.Length, AnyValueWriter.MaxElements) && elements.HaveRoom(writer); i++)
            elements.Write(ref writer, OtlpTag.Element, LogValue.From(items[i]));
    }

    private static void WriteList(in Elements elements, ref ProtoWriter writer, IReadOnlyList<object?> items)
    {
        for (var i = 0; i < AnyValueWriter.MaxElements && i < items.Count && elements.HaveRoom(writer); i++)
            elements.Write(ref writer, OtlpTag.Element, LogValue.FromObject(items[i]));
    }

    private static void WriteSequence(in Elements elements, ref ProtoWriter writer, IEnumerable items)
    {
        var count = 0;
        foreach (var item in items)
        {
            if (count++ == AnyValueWriter.MaxElements || !elements.HaveRoom(writer))
                break;
            elements.Write(ref writer, OtlpTag.Element, LogValue.FromObject(item));
        }
    }

    private static void WriteDictionary(in Elements elements, ref ProtoWriter writer, IDictionary items)
    {
        var members = default(AnyValueWriter.Members);
        var entries = items.GetEnumerator();
        try
        {
            for (var count = 0; count < AnyValueWriter.MaxElements && elements.HaveRoom(writer) && entries.MoveNext(); count++)
                elements.WriteMember(ref writer, ref members, entries.Key, entries.Value);
        }
        finally
        {
            (entries as IDisposable)?.Dispose();
        }
    }

    private static void WritePairs<T>(in Elements elements, ref ProtoWriter writer, IEnumerable<KeyValuePair<string, T>> items)
    {
        var members = default(AnyValueWriter.Members);
        var count = 0;
        foreach (var item in items)
        {
            if (count++ == AnyValueWriter.MaxElements || !elements.HaveRoom(writer))
                break;
            elements.WriteMember(ref writer, ref members, item.Key, item.Value);
        }
    }

    private static void WriteKeyed(in Elements elements, ref ProtoWriter writer, KeyedPairs pairs, IEnumerable items)
    {
        var members = default(AnyValueWriter.Members);
        var entries = pairs.Enumerate(items);
        try
        {
            for (var count = 0; count < AnyValueWriter.MaxElements && elements.HaveRoom(writer) && entries.MoveNext(); count++)
                elements.WriteMember(ref writer, ref members, pairs.KeyOf(entries.Current!), pairs.ValueOf(entries.Current!));
        }
        finally
        {
            (entries as IDisposable)?.Dispose();
        }
    }

    /// <summary>Writes the elements of one collection.</summary>
    private readonly struct Elements(AttributeValues values, int from, int depth, LogEvent logEvent, OtlpScratch scratch)
    {
        // Collections that contain themselves or one another would grow without end although depth and elements are limited.
        public bool HaveRoom(in ProtoWriter writer) => writer.Position - from <= values.MaxBytes && ++scratch.Elements <= values.MaxBytes;

        public void Write(ref ProtoWriter writer, byte tag, in LogValue value) => values.Write(ref writer, tag, value, depth, logEvent, scratch);

        public void WriteMember(ref ProtoWriter writer, ref AnyValueWriter.Members members, object? key, object? value)
        {
            if (key is null)
                return;
            var start = writer.Open(OtlpTag.Element);
            var keyStart = writer.Position;
            if (key is string text)
                writer.WriteText(OtlpTag.Key, TextPrefix.Of(text, values.MaxBytes));
            else
                writer.WriteBytes(OtlpTag.Key, logEvent.GetText(LogValue.FromObject(key), values.MaxBytes));
            var keyLength = writer.Position - keyStart;
            Write(ref writer, OtlpTag.Value, LogValue.FromObject(value));
            writer.Close(start);
            members.Add(ref writer, start - 2, keyLength);
        }
    }
}
