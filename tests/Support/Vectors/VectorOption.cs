using System.Collections;
using System.Globalization;
using System.Reflection;
using System.Text.Json;

namespace AsyncLog.Tests.Vectors;

/// <summary>Sets options of a vector in code: any option by its name, sub-keys by colon or as an object. An unknown name is an error.</summary>
internal static class VectorOption
{
    private static readonly (string Unit, double Milliseconds)[] Times = [("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000)];
    private static readonly (string Unit, long Bytes)[] Sizes = [("KB", 1L << 10), ("MB", 1L << 20), ("GB", 1L << 30), ("TB", 1L << 40), ("B", 1)];

    /// <summary>Sets every option of a list but those that the test takes care of.</summary>
    public static void SetAll(object options, JsonElement? values, params ReadOnlySpan<string> others)
    {
        if (values is not { } given)
            return;
        foreach (var option in given.EnumerateObject())
        {
            if (!others.Contains(option.Name))
                Set(options, option.Name, option.Value);
        }
    }

    /// <summary>Sets one option.</summary>
    /// <param name="options">The options.</param>
    /// <param name="name">Its name; <c>Section:Name</c> for one in a section, <c>Map:Key</c> for one value of a map.</param>
    /// <param name="value">The value: times as milliseconds or as configuration writes them, sizes as bytes or with a unit.</param>
    public static void Set(object options, string name, JsonElement value)
    {
        if (options is IEnumerable and not string && MapOf(options.GetType()) is { } map)
        {
            var types = map.GetGenericArguments();
            map.GetProperty("Item")!.SetValue(options, Read(types[1], value), [Read(types[0], JsonSerializer.SerializeToElement(name))]);
            return;
        }

        var (first, rest) = name.Split(':', 2) is [var head, var tail] ? (head, tail) : (name, null);
        var property = options.GetType().GetProperty(first, BindingFlags.Public | BindingFlags.Instance | BindingFlags.IgnoreCase)
            ?? throw new NotSupportedException($"{options.GetType().Name} has no option {name}");
        if (rest is not null)
            Set(property.GetValue(options)!, rest, value);
        else if (value.ValueKind == JsonValueKind.Object && property.SetMethod is null)
            SetAll(property.GetValue(options)!, value);
        else
            property.SetValue(options, Read(property.PropertyType, value));
    }

    private static Type? MapOf(Type type) => type.GetInterfaces().FirstOrDefault(static kind => kind.IsGenericType && kind.GetGenericTypeDefinition() == typeof(IDictionary<,>));

    private static object? Read(Type type, JsonElement value)
    {
        var isNone = value.ValueKind == JsonValueKind.Null;
        if (Nullable.GetUnderlyingType(type) is { } inner)
            return isNone || value is { ValueKind: JsonValueKind.String } && value.GetString() is "" ? null : Read(inner, value);
        if (isNone)
            return type.IsValueType ? throw new NotSupportedException($"null for {type.Name}") : null;
        var text = value.ValueKind is JsonValueKind.String or JsonValueKind.Object ? VectorValue.ReadText(value) : value.GetRawText();
        if (type == typeof(string))
            return text;
        if (type == typeof(bool))
            return bool.Parse(text);
        if (type == typeof(Uri))
            return new Uri(text, UriKind.RelativeOrAbsolute);
        if (type == typeof(TimeSpan))
            return Time(value, text);
        if (type.IsEnum)
            return Enum.Parse(type, Known(type, text), ignoreCase: true);
        return Convert.ChangeType(Number(text), type, CultureInfo.InvariantCulture);
    }

    private static string Known(Type type, string text) => int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out _) || Enum.GetNames(type).Contains(text, StringComparer.OrdinalIgnoreCase)
        ? text
        : throw new NotSupportedException($"{type.Name} has no {text}");

    private static TimeSpan Time(JsonElement value, string text)
    {
        if (value.ValueKind == JsonValueKind.Number)
            return TimeSpan.FromMilliseconds(value.GetDouble());
        foreach (var (unit, milliseconds) in Times)
        {
            if (text.EndsWith(unit, StringComparison.Ordinal) && double.TryParse(text[..^unit.Length], CultureInfo.InvariantCulture, out var number))
                return TimeSpan.FromMilliseconds(number * milliseconds);
        }

        return TimeSpan.Parse(text, CultureInfo.InvariantCulture);
    }

    private static decimal Number(string text)
    {
        foreach (var (unit, bytes) in Sizes)
        {
            if (text.EndsWith(unit, StringComparison.OrdinalIgnoreCase))
                return decimal.Parse(text[..^unit.Length], CultureInfo.InvariantCulture) * bytes;
        }

        return decimal.Parse(text.TrimEnd('%'), CultureInfo.InvariantCulture);
    }
}
