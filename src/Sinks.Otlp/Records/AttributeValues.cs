using System.Collections;
using System.Diagnostics.CodeAnalysis;
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
    /// <summary>The most elements of a collection.</summary>
    public const int MaxElements = 128;

    private const int MaxDepth = 8;
    private const int MaxBytesPerUnit = 3;
    private const int BoolSize = 2;
    private const int DoubleSize = 9;

    // NaN has many forms; that of double.NaN is negative on x64.
    private const ulong CanonicalNaN = 0x7FF8000000000000;

    // One more than fits, so that the record exceeds its limit.
    private readonly int _units = Math.Min(mostUnits, recordSize + 1);

    /// <summary>The most bytes of a block of bytes, or of all elements of a container, that are rendered.</summary>
    public int MaxBytes => recordSize + 1;

    /// <summary>Writes a value.</summary>
    /// <param name="depth">The level of the value if it is a container; 1 is the attribute's own.</param>
    /// <param name="scratch">The thread's scratch.</param>
    public void Write(ref ProtoWriter writer, byte tag, in LogValue value, int depth, LogEvent logEvent, OtlpScratch scratch)
    {
        switch (value.Kind)
        {
            case LogValueKind.Null: WriteEmpty(ref writer, tag); break;
            case LogValueKind.String: WriteText(ref writer, tag, value.String!); break;
            case LogValueKind.Boolean: WriteBool(ref writer, tag, value.Get<bool>()); break;
            case LogValueKind.SByte: WriteInt(ref writer, tag, value.Get<sbyte>()); break;
            case LogValueKind.Byte: WriteInt(ref writer, tag, value.Get<byte>()); break;
            case LogValueKind.Int16: WriteInt(ref writer, tag, value.Get<short>()); break;
            case LogValueKind.UInt16: WriteInt(ref writer, tag, value.Get<ushort>()); break;
            case LogValueKind.Int32: WriteInt(ref writer, tag, value.Get<int>()); break;
            case LogValueKind.UInt32: WriteInt(ref writer, tag, value.Get<uint>()); break;
            case LogValueKind.Int64: WriteInt(ref writer, tag, value.Get<long>()); break;
            case LogValueKind.UInt64 when value.Get<ulong>() <= long.MaxValue: WriteInt(ref writer, tag, (long)value.Get<ulong>()); break;
            case LogValueKind.Half: WriteDouble(ref writer, tag, (double)value.Get<Half>()); break;
            case LogValueKind.Single: WriteDouble(ref writer, tag, value.Get<float>()); break;
            case LogValueKind.Double: WriteDouble(ref writer, tag, value.Get<double>()); break;
            case LogValueKind.Json: new JsonAnyValue(_units).Write(ref writer, tag, value.Json); break;
            case LogValueKind.Object: WriteObject(ref writer, tag, value, depth, logEvent, scratch); break;
            default: WriteOther(ref writer, tag, value, logEvent); break;
        }
    }

    /// <summary>The part of a string that is written.</summary>
    public ReadOnlySpan<char> Bounded(string text) => TextPrefix.Of(text, _units);

    /// <summary>Writes a string within the limit of its length.</summary>
    public void WriteText(ref ProtoWriter writer, byte tag, string text) => writer.WriteNested(tag, OtlpTag.Text, Bounded(text));

    /// <summary>Returns true if a string is within the limit of its length.</summary>
    public bool IsWhole(string text) => text.Length <= _units;

    /// <summary>Writes a whole number.</summary>
    public static void WriteInt(ref ProtoWriter writer, byte tag, long value) => writer.WriteNestedVarint(tag, OtlpTag.Int, (ulong)value);

    /// <summary>Writes a value without content.</summary>
    public static void WriteEmpty(ref ProtoWriter writer, byte tag) => writer.Write([tag, 0]);

    /// <summary>Writes valid UTF-8 within the limit of its length.</summary>
    private void WriteUtf8(ref ProtoWriter writer, byte tag, scoped ReadOnlySpan<byte> utf8)
        => writer.WriteNested(tag, OtlpTag.Text, TextPrefix.OfUtf8(utf8, _units));

    /// <summary>Writes a boolean.</summary>
    public static void WriteBool(ref ProtoWriter writer, byte tag, bool value) => writer.Write([tag, BoolSize, OtlpTag.Bool, value ? (byte)1 : (byte)0]);

    /// <summary>Writes a number.</summary>
    public static void WriteDouble(ref ProtoWriter writer, byte tag, double value)
    {
        writer.Write([tag, DoubleSize]);
        writer.WriteFixed64(OtlpTag.Double, double.IsNaN(value) ? CanonicalNaN : BitConverter.DoubleToUInt64Bits(value));
    }

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
        if (mostUnits == int.MaxValue && TryWriteShort(ref writer, tag, value))
            return;
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
            WriteEmpty(ref writer, tag);
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
        for (var i = 0; i < Math.Min(items.Length, MaxElements) && elements.HaveRoom(writer); i++)
            elements.Write(ref writer, OtlpTag.Element, LogValue.From(items[i]));
    }

    private static void WriteList(in Elements elements, ref ProtoWriter writer, IReadOnlyList<object?> items)
    {
        for (var i = 0; i < MaxElements && i < items.Count && elements.HaveRoom(writer); i++)
            elements.Write(ref writer, OtlpTag.Element, LogValue.FromObject(items[i]));
    }

    private static void WriteSequence(in Elements elements, ref ProtoWriter writer, IEnumerable items)
    {
        var count = 0;
        foreach (var item in items)
        {
            if (count++ == MaxElements || !elements.HaveRoom(writer))
                break;
            elements.Write(ref writer, OtlpTag.Element, LogValue.FromObject(item));
        }
    }

    private static void WriteDictionary(in Elements elements, ref ProtoWriter writer, IDictionary items)
    {
        var members = default(MapMembers);
        var entries = items.GetEnumerator();
        try
        {
            for (var count = 0; count < MaxElements && elements.HaveRoom(writer) && entries.MoveNext(); count++)
                elements.WriteMember(ref writer, ref members, entries.Key, entries.Value);
        }
        finally
        {
            (entries as IDisposable)?.Dispose();
        }
    }

    private static void WritePairs<T>(in Elements elements, ref ProtoWriter writer, IEnumerable<KeyValuePair<string, T>> items)
    {
        var members = default(MapMembers);
        var count = 0;
        foreach (var item in items)
        {
            if (count++ == MaxElements || !elements.HaveRoom(writer))
                break;
            elements.WriteMember(ref writer, ref members, item.Key, item.Value);
        }
    }

    private static void WriteKeyed(in Elements elements, ref ProtoWriter writer, KeyedPairs pairs, IEnumerable items)
    {
        var members = default(MapMembers);
        var entries = pairs.Enumerate(items);
        try
        {
            for (var count = 0; count < MaxElements && elements.HaveRoom(writer) && entries.MoveNext(); count++)
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

        public void WriteMember(ref ProtoWriter writer, ref MapMembers members, object? key, object? value)
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

    /// <summary>The members of one KeyValueList. Keys are unique: a member replaces an earlier one with the same key.</summary>
    internal struct MapMembers
    {
        private Room _members;
        private int _count;

        /// <summary>Adds the member that was written last.</summary>
        public void Add(ref ProtoWriter writer, int start, int keyLength)
        {
            var written = writer.Written;
            var length = written.Length - start;
            // The key is behind the tag and the length of the member.
            var keyOffset = 1;
            while (written[start + keyOffset++] > 0x7F)
            {
            }

            var key = written.Slice(start + keyOffset, keyLength);
            for (var i = 0; i < _count; i++)
            {
                ref readonly var other = ref _members[i];
                if (!written.Slice(other.Start + other.KeyOffset, other.KeyLength).SequenceEqual(key))
                    continue;
                start -= Remove(ref writer, i);
                break;
            }

            _members[_count++] = new Member(start, length, keyOffset, keyLength);
        }

        private int Remove(ref ProtoWriter writer, int index)
        {
            var (start, length, _, _) = _members[index];
            var written = writer.Written;
            written[(start + length)..].CopyTo(written[start..]);
            writer.Position -= length;
            _count--;
            for (var i = index; i < _count; i++)
                _members[i] = _members[i + 1] with { Start = _members[i + 1].Start - length };
            return length;
        }

        private readonly record struct Member(int Start, int Length, int KeyOffset, int KeyLength);

        [InlineArray(MaxElements)]
        private struct Room
        {
            [SuppressMessage("Roslynator", "RCS1213", Justification = "The element of the inline array.")]
            private Member _first;
        }
    }
}
