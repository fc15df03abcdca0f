using System.Globalization;
using System.Net;
using System.Numerics;
using System.Text.Json;

namespace AsyncLog.Tests;

/// <summary>Reads the typed values of test vectors.</summary>
internal static class VectorValue
{
    private static readonly CultureInfo Invariant = CultureInfo.InvariantCulture;

    public static object? Read(JsonElement element) => element.ValueKind switch
    {
        JsonValueKind.Null => null,
        JsonValueKind.True => true,
        JsonValueKind.False => false,
        JsonValueKind.Number => element.GetInt32(),
        JsonValueKind.String => element.GetString(),
        _ when element.TryGetProperty("t", out var type) => ReadTyped(type.GetString()!, element),
        _ => ReadText(element),
    };

    public static string ReadText(JsonElement element)
    {
        if (element.ValueKind == JsonValueKind.String)
            return element.GetString()!;
        if (element.TryGetProperty("utf16", out var units))
            return string.Concat(units.GetString()!.Split(' ').Select(unit => (char)ushort.Parse(unit, NumberStyles.HexNumber, Invariant)));
        if (element.TryGetProperty("repeat", out var text))
            return string.Concat(Enumerable.Repeat(ReadText(text), element.GetProperty("times").GetInt32()));
        return string.Concat(element.GetProperty("concat").EnumerateArray().Select(ReadText));
    }

    private static object? ReadTyped(string type, JsonElement element)
    {
        var value = element.GetProperty("v");
        return value.ValueKind switch
        {
            JsonValueKind.String => ReadScalar(type, value.GetString()!, element),
            JsonValueKind.Array => ReadCollection(type, [.. value.EnumerateArray()]),
            _ => ReadEnum(value),
        };
    }

    private static object ReadScalar(string type, string text, JsonElement element) => type switch
    {
        "sbyte" => sbyte.Parse(text, Invariant),
        "byte" => byte.Parse(text, Invariant),
        "short" => short.Parse(text, Invariant),
        "ushort" => ushort.Parse(text, Invariant),
        "int" => int.Parse(text, Invariant),
        "uint" => uint.Parse(text, Invariant),
        "long" => long.Parse(text, Invariant),
        "ulong" => ulong.Parse(text, Invariant),
        "Int128" => Int128.Parse(text, Invariant),
        "BigInteger" => BigInteger.Parse(text, Invariant),
        "Half" => Half.Parse(text, Invariant),
        "float" => float.Parse(text, Invariant),
        "double" => double.Parse(text, Invariant),
        "decimal" => decimal.Parse(text, Invariant),
        "char" => text[0],
        "Guid" => Guid.Parse(text),
        "Version" => Version.Parse(text),
        "IPAddress" => IPAddress.Parse(text),
        "Uri" => new Uri(text, UriKind.RelativeOrAbsolute),
        "DateTime" => DateTime.SpecifyKind(DateTime.Parse(text, Invariant), Enum.Parse<DateTimeKind>(element.GetProperty("kind").GetString()!)),
        "DateTimeOffset" => DateTimeOffset.Parse(text, Invariant),
        "DateOnly" => DateOnly.Parse(text, Invariant),
        "TimeOnly" => TimeOnly.Parse(text, Invariant),
        "TimeSpan" => TimeSpan.Parse(text, Invariant),
        "bytes" => Convert.FromBase64String(text),
        "memory" => new ReadOnlyMemory<byte>(Convert.FromBase64String(text)),
        _ => throw new NotSupportedException(type),
    };

    private static object ReadCollection(string type, JsonElement[] items) => type switch
    {
        "int[]" => items.Select(item => item.GetInt32()).ToArray(),
        "string[]" => items.Select(item => (string?)Read(item)).ToArray(),
        "array" => items.Select(Read).ToArray(),
        "list" => items.Select(Read).ToList(),
        "kvs" => items.Select(pair => KeyValuePair.Create(ReadText(pair[0]), Read(pair[1]))).ToList(),
        "dict" => ReadDictionary(items),
        _ => throw new NotSupportedException(type),
    };

    private static object ReadDictionary(JsonElement[] items) => items.Length == 0 ? new Dictionary<string, object?>() : Read(items[0][0]) switch
    {
        int => Fill<int>(items),
        DayOfWeek => Fill<DayOfWeek>(items),
        _ => Fill<string>(items),
    };

    private static Dictionary<TKey, object?> Fill<TKey>(JsonElement[] items)
        where TKey : notnull
        => items.ToDictionary(pair => (TKey)Read(pair[0])!, pair => Read(pair[1]));

    private static object ReadEnum(JsonElement value)
    {
        var name = value.GetProperty("type").GetString()!;
        var type = Type.GetType(name) ?? typeof(Uri).Assembly.GetType(name) ?? throw new NotSupportedException(name);
        return value.TryGetProperty("value", out var number) ? Enum.ToObject(type, number.GetInt64()) : Enum.Parse(type, value.GetProperty("text").GetString()!);
    }
}
