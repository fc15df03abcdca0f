using System.Collections;
using System.Runtime.CompilerServices;
using System.Text.Json.Nodes;
using Microsoft.Extensions.Primitives;

namespace AsyncLog;

/// <summary>Writes collections as ArrayValue or KeyValueList. Runs code of users: what that throws becomes a placeholder and is counted.</summary>
internal static class AttributeContainers
{
    private const int MaxDepth = 8;
    private const int MaxElements = 128;

    /// <summary>Writes a collection; empty where it lies too deep.</summary>
    /// <param name="values">Writes its elements.</param>
    /// <param name="writer">Where to.</param>
    /// <param name="tag">The field that holds the AnyValue.</param>
    /// <param name="items">The collection.</param>
    /// <param name="depth">Its level; 1 is the attribute's own.</param>
    /// <param name="logEvent">The event it belongs to.</param>
    /// <param name="scratch">The thread's scratch.</param>
    public static void Write(
        AttributeValues values, ref ProtoWriter writer, byte tag, IEnumerable items, int depth, LogEvent logEvent, OtlpScratch scratch)
    {
        if (depth > MaxDepth || !RuntimeHelpers.TryEnsureSufficientExecutionStack())
        {
            AttributeValues.WriteEmpty(ref writer, tag);
            return;
        }

        if (depth == 1)
            scratch.Elements = 0;
        var before = writer.Position;
        try
        {
            var elements = new Elements(values, before, depth + 1, logEvent, scratch);
            var start = writer.Open(tag);
            WriteContent(elements, ref writer, items);
            writer.Close(start);
        }
        catch (Exception exception) when (exception is not OutOfMemoryException)
        {
            logEvent.CountRenderError();
            writer.Position = before;
            values.WriteText(ref writer, tag, $"<error: {exception.GetType().FullName ?? exception.GetType().Name}>");
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
        Span<MapMembers.Member> members = stackalloc MapMembers.Member[MaxElements];
        var unique = 0;
        var entries = items.GetEnumerator();
        try
        {
            for (var count = 0; count < MaxElements && elements.HaveRoom(writer) && entries.MoveNext(); count++)
                elements.WriteMember(ref writer, members, ref unique, entries.Key, entries.Value);
        }
        finally
        {
            (entries as IDisposable)?.Dispose();
        }
    }

    private static void WritePairs<T>(in Elements elements, ref ProtoWriter writer, IEnumerable<KeyValuePair<string, T>> items)
    {
        Span<MapMembers.Member> members = stackalloc MapMembers.Member[MaxElements];
        var unique = 0;
        var count = 0;
        foreach (var item in items)
        {
            if (count++ == MaxElements || !elements.HaveRoom(writer))
                break;
            elements.WriteMember(ref writer, members, ref unique, item.Key, item.Value);
        }
    }

    private static void WriteKeyed(in Elements elements, ref ProtoWriter writer, KeyedPairs pairs, IEnumerable items)
    {
        Span<MapMembers.Member> members = stackalloc MapMembers.Member[MaxElements];
        var unique = 0;
        var entries = pairs.Enumerate(items);
        try
        {
            for (var count = 0; count < MaxElements && elements.HaveRoom(writer) && entries.MoveNext(); count++)
                elements.WriteMember(ref writer, members, ref unique, pairs.KeyOf(entries.Current!), pairs.ValueOf(entries.Current!));
        }
        finally
        {
            (entries as IDisposable)?.Dispose();
        }
    }

    /// <summary>Writes the elements of one collection.</summary>
    private readonly struct Elements(AttributeValues values, int from, int depth, LogEvent logEvent, OtlpScratch scratch)
    {
        /// <summary>Collections that contain themselves or one another would grow without end although depth and elements are limited.</summary>
        public bool HaveRoom(in ProtoWriter writer) => writer.Position - from <= values.MostBytes && ++scratch.Elements <= values.MostBytes;

        public void Write(ref ProtoWriter writer, byte tag, in LogValue value) => values.Write(ref writer, tag, value, depth, logEvent, scratch);

        public void WriteMember(ref ProtoWriter writer, scoped Span<MapMembers.Member> members, ref int count, object? key, object? value)
        {
            if (key is null)
                return;
            var start = writer.Open(OtlpTag.Element);
            var keyStart = writer.Position;
            if (key is string text)
                writer.WriteText(OtlpTag.Key, TextCutting.Start(text, values.MostBytes));
            else
                writer.WriteBytes(OtlpTag.Key, logEvent.GetText(LogValue.FromObject(key), values.MostBytes));
            var keyLength = writer.Position - keyStart;
            Write(ref writer, OtlpTag.Value, LogValue.FromObject(value));
            writer.Close(start);
            MapMembers.Add(members, ref count, ref writer, start - 2, keyLength);
        }
    }
}
