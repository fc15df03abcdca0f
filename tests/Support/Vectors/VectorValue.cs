using System.Globalization;
using System.Net;
using System.Numerics;
using System.Reflection;
using System.Reflection.Emit;
using System.Text.Json;

namespace AsyncLog.Tests.Vectors;

/// <summary>Reads the typed values of test vectors.</summary>
internal static class VectorValue
{
    private static readonly CultureInfo Invariant = CultureInfo.InvariantCulture;
    private static readonly Dictionary<string, Type> Enums = new(StringComparer.Ordinal);

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
        VectorFile.RequireKnown(element, "utf16", "repeat", "times", "concat");
        if (element.TryGetProperty("utf16", out var units))
            return string.Concat(units.GetString()!.Split(' ').Select(unit => (char)ushort.Parse(unit, NumberStyles.HexNumber, Invariant)));
        if (element.TryGetProperty("repeat", out var text))
            return string.Concat(Enumerable.Repeat(ReadText(text), element.GetProperty("times").GetInt32()));
        return string.Concat(element.GetProperty("concat").EnumerateArray().Select(ReadText));
    }

    private static object? ReadTyped(string type, JsonElement element)
    {
        VectorFile.RequireKnown(element, type == "DateTime" ? ["t", "v", "kind"] : ["t", "v"]);
        var value = element.GetProperty("v");
        return value.ValueKind switch
        {
            JsonValueKind.Array => ReadCollection(type, [.. value.EnumerateArray()]),
            _ when type == "enum" => ReadEnum(value),
            _ => ReadScalar(type, ReadText(value), element),
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
        "UInt128" => UInt128.Parse(text, Invariant),
        "Int128" => Int128.Parse(text, Invariant),
        "BigInteger" => BigInteger.Parse(text, Invariant),
        "Half" => Half.Parse(text, Invariant),
        "float" => float.Parse(text, Invariant),
        "double" => double.Parse(text, Invariant),
        "decimal" => decimal.Parse(text, Invariant),
        "char" => Assert.Single(text),
        "Guid" => Guid.Parse(text),
        "Version" => Version.Parse(text),
        "IPAddress" => IPAddress.Parse(text),
        "Uri" => new Uri(text, UriKind.RelativeOrAbsolute),
        "DateTime" => DateTime.SpecifyKind(DateTime.Parse(text, Invariant, DateTimeStyles.RoundtripKind), Enum.Parse<DateTimeKind>(element.GetProperty("kind").GetString()!)),
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
        "kvs" => items.Select(pair => KeyValuePair.Create((string)Read(pair[0])!, Read(pair[1]))).ToList(),
        "dict" => ReadDictionary(items),
        _ => throw new NotSupportedException(type),
    };

    private static object ReadDictionary(JsonElement[] items)
    {
        var keyType = items.Length == 0 ? typeof(string) : Read(items[0][0])!.GetType();
        var dictionary = (System.Collections.IDictionary)Activator.CreateInstance(typeof(Dictionary<,>).MakeGenericType(keyType, typeof(object)))!;
        foreach (var pair in items)
            dictionary.Add(Read(pair[0])!, Read(pair[1]));
        return dictionary;
    }

    private static object ReadEnum(JsonElement value)
    {
        VectorFile.RequireKnown(value, "type", "text", "value");
        var name = value.GetProperty("type").GetString()!;
        var text = value.GetProperty("text").GetString()!;
        long? number = value.TryGetProperty("value", out var given) ? given.GetInt64() : null;
        var type = FindType(name) ?? DefineEnum(name, text, number ?? 0);
        return number is { } known ? Enum.ToObject(type, known) : Enum.Parse(type, text);
    }

    /// <summary>A type of the framework or of the test, by its full name; null: there is none.</summary>
    public static Type? FindType(string name) =>
        AppDomain.CurrentDomain.GetAssemblies().Concat(FrameworkAssemblies()).Select(assembly => assembly.GetType(name)).FirstOrDefault(static type => type is not null);

    private static IEnumerable<Assembly> FrameworkAssemblies() => Directory.EnumerateFiles(Path.GetDirectoryName(typeof(object).Assembly.Location)!, "System.*.dll")
        .Select(static path => Assembly.Load(Path.GetFileNameWithoutExtension(path)));

    // An application's own: it has the member that the vector shows.
    private static Type DefineEnum(string name, string text, long number)
    {
        lock (Enums)
        {
            if (Enums.TryGetValue(name + "." + text, out var known))
                return known;
            var module = AssemblyBuilder.DefineDynamicAssembly(new AssemblyName("VectorEnums." + Enums.Count.ToString(Invariant)), AssemblyBuilderAccess.Run).DefineDynamicModule("all");
            var type = module.DefineEnum(name, TypeAttributes.Public, typeof(long));
            if (!long.TryParse(text, Invariant, out _))
                type.DefineLiteral(text, number);
            return Enums[name + "." + text] = type.CreateType();
        }
    }
}
