using System.Collections;
using System.Globalization;
using System.Numerics;
using System.Text;
using AsyncLog.Tests.Protocol;
using AsyncLog.Tests.Vectors;
using Google.Protobuf;

namespace AsyncLog.Tests.Records;

/// <summary>What the rules give for an event, worked out the simple way with the generated classes.</summary>
internal sealed class ReferenceRecord(GeneratedEvent call, AsyncOtlpLoggerOptions options)
{
    public const string TraceId = "0af7651916cd43dd8448eb211c80319c";
    public const string SpanId = "b7ad6b7169203331";
    public const string Template = "T {x}\n😀";
    public const string ExceptionType = "Shop.HostileException";

    private const int MaxElements = 128;
    private const int MaxDepth = 8;
    private static readonly Dictionary<Microsoft.Extensions.Logging.LogLevel, int> Severities = new()
    {
        [Microsoft.Extensions.Logging.LogLevel.Trace] = 1,
        [Microsoft.Extensions.Logging.LogLevel.Debug] = 5,
        [Microsoft.Extensions.Logging.LogLevel.Information] = 9,
        [Microsoft.Extensions.Logging.LogLevel.Warning] = 13,
        [Microsoft.Extensions.Logging.LogLevel.Error] = 17,
        [Microsoft.Extensions.Logging.LogLevel.Critical] = 21,
    };

    public Protocol.LogRecord Make()
    {
        var nanoseconds = (ulong)(VectorClock.Noon.UtcTicks - DateTime.UnixEpoch.Ticks) * 100;
        var record = new Protocol.LogRecord
        {
            TimeUnixNano = nanoseconds,
            ObservedTimeUnixNano = nanoseconds,
            SeverityNumber = Severities[call.Level],
            SeverityText = call.Level.ToString(),
            EventName = Clean(call.EventName ?? ""),
        };
        if (call.Message is { } message || !options.IncludeFormattedMessage)
            record.Body = new AnyValue { StringValue = Clean(options.IncludeFormattedMessage ? call.Message! : Template) };
        if (call.Flags is { } flags)
            (record.TraceId, record.SpanId, record.Flags) = (Hex(TraceId), Hex(SpanId), (uint)flags);
        KeyValue[] all = [.. Attributes()];
        var limit = options.AttributeCountLimit ?? int.MaxValue;
        record.Attributes.AddRange(all.Take(limit));
        record.DroppedAttributesCount = (uint)Math.Max(all.Length - limit, 0);
        return record;
    }

    private IEnumerable<KeyValue> Attributes()
    {
        // The strongest list first; within it the last of equal keys.
        HashSet<string> taken = new(StringComparer.Ordinal) { "" };
        var state = Survivors(call.State, taken);
        List<KeyValuePair<string, object?>> scopes = [];
        foreach (var scope in call.Scopes.Reverse())
            scopes.InsertRange(0, Survivors(scope.Where(pair => call.Flags is null || pair.Key is not ("TraceId" or "SpanId" or "ParentId")), taken));
        (string Key, object? Value)[] library =
        [
            ("logrecord.event.id", call.EventId == 0 ? null : call.EventId),
            ("exception.type", call.Exception is null ? null : ExceptionType),
            ("exception.message", call.Exception?.Message),
            ("exception.stacktrace", call.Exception?.Text),
        ];
        var own = library.Where(pair => pair.Value is not null && !taken.Contains(pair.Key)).Select(static pair => KeyValuePair.Create(pair.Key, pair.Value));
        if (options.IncludeTemplate && options.IncludeFormattedMessage)
            state.Add(new("{OriginalFormat}", Template));
        return own.Concat(state).Concat(scopes).Select(pair => new KeyValue { Key = Clean(pair.Key), Value = Value(pair.Value, 1) });
    }

    private static List<KeyValuePair<string, object?>> Survivors(IEnumerable<KeyValuePair<string, object?>> list, HashSet<string> taken) =>
        [.. list.Reverse().Where(pair => taken.Add(pair.Key)).Reverse()];

    private static AnyValue Double(double number) => new() { DoubleValue = double.IsNaN(number) ? BitConverter.UInt64BitsToDouble(0x7FF8000000000000) : number };

    private AnyValue Value(object? value, int depth) => value switch
    {
        null => new AnyValue(),
        bool flag => new AnyValue { BoolValue = flag },
        sbyte or byte or short or ushort or int or uint or long => new AnyValue { IntValue = Convert.ToInt64(value, CultureInfo.InvariantCulture) },
        ulong and <= long.MaxValue => new AnyValue { IntValue = (long)(ulong)value },
        Half half => Double((double)half),
        float number => Double(number),
        double number => Double(number),
        byte[] bytes => new AnyValue { BytesValue = ByteString.CopyFrom(bytes) },
        ReadOnlyMemory<byte> bytes => new AnyValue { BytesValue = ByteString.CopyFrom(bytes.Span) },
        Memory<byte> bytes => new AnyValue { BytesValue = ByteString.CopyFrom(bytes.Span) },
        string text => Text(text),
        IEnumerable when depth > MaxDepth => new AnyValue(),
        IDictionary map => Map(map.Keys.Cast<object>().Select(key => KeyValuePair.Create(key.ToString()!, map[key])), depth),
        IEnumerable<KeyValuePair<string, object?>> pairs => Map(pairs, depth),
        IEnumerable<KeyValuePair<string, string>> pairs => Map(pairs.Select(static pair => KeyValuePair.Create(pair.Key, (object?)pair.Value)), depth),
        IEnumerable items => new AnyValue { ArrayValue = new ArrayValue { Values = { items.Cast<object?>().Take(MaxElements).Select(item => Value(item, depth + 1)) } } },
        Uri uri => Text(uri.OriginalString),
        DateTime or DateTimeOffset or DateOnly or TimeOnly => Text(((IFormattable)value).ToString("O", CultureInfo.InvariantCulture)),
        BigInteger or IFormattable => Text(((IFormattable)value).ToString(null, CultureInfo.InvariantCulture)),
        _ => Text(value.ToString()!),
    };

    private AnyValue Map(IEnumerable<KeyValuePair<string, object?>> pairs, int depth)
    {
        var first = pairs.Take(MaxElements).Select(static pair => KeyValuePair.Create(Clean(pair.Key), pair.Value)).Reverse().DistinctBy(static pair => pair.Key).Reverse();
        return new AnyValue { KvlistValue = new KeyValueList { Values = { first.Select(pair => new KeyValue { Key = pair.Key, Value = Value(pair.Value, depth + 1) }) } } };
    }

    private AnyValue Text(string text)
    {
        var most = options.AttributeValueLengthLimit ?? int.MaxValue;
        if (text.Length > most)
            text = text[..(most > 0 && char.IsSurrogatePair(text, most - 1) ? most - 1 : most)];
        return new AnyValue { StringValue = Clean(text) };
    }

    // What UTF-8 cannot hold becomes U+FFFD.
    private static string Clean(string text) => Encoding.UTF8.GetString(Encoding.UTF8.GetBytes(text));

    private static ByteString Hex(string text) => ByteString.CopyFrom(Convert.FromHexString(text));
}
