using System.Collections;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Net;
using System.Numerics;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.Json.Serialization;

namespace AsyncLog;

/// <summary>Writes framework types that are a text to readers, and whose members System.Text.Json refuses or would fill a record with, as this text.</summary>
internal sealed class ObjectTextConverter : JsonConverter<object>
{
    /// <summary>Returns true if an object is written as its text also under a name with <c>@</c>.</summary>
    public static bool IsText(object value)
        => value is Exception or MemberInfo or Assembly or Delegate or Uri or Version or BigInteger or IPAddress or EndPoint or CultureInfo;

    public override bool CanConvert(Type typeToConvert)
        => typeToConvert == typeof(Uri) || typeToConvert == typeof(Version) || typeToConvert == typeof(BigInteger)
            || typeof(Exception).IsAssignableFrom(typeToConvert) || typeof(MemberInfo).IsAssignableFrom(typeToConvert)
            || typeof(Assembly).IsAssignableFrom(typeToConvert) || typeof(Delegate).IsAssignableFrom(typeToConvert)
            || typeof(IPAddress).IsAssignableFrom(typeToConvert) || typeof(EndPoint).IsAssignableFrom(typeToConvert)
            || typeof(CultureInfo).IsAssignableFrom(typeToConvert);

    public override object Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) => throw new NotSupportedException("AsyncLog only writes JSON.");

    public override void Write(Utf8JsonWriter writer, object value, JsonSerializerOptions options)
    {
        if (value is BigInteger number)
            writer.WriteRawValue(number.ToString(CultureInfo.InvariantCulture));
        else
            writer.WriteStringValue(value is Uri uri ? uri.OriginalString : value.ToString());
    }
}

/// <summary>Writes sequences whose elements are sequences of the same kind, as Json.NET's JToken: as what they hold. System.Text.Json writes them as nothing but brackets, because their
/// leaves are sequences too.</summary>
internal sealed class TokenConverter : JsonConverter<object>
{
    // Weak in the type, so that a collectible assembly can go.
    private static readonly ConditionalWeakTable<Type, StrongBox<bool>> Known = [];

    public override bool CanConvert(Type typeToConvert) => Known.GetValue(typeToConvert, static type => new StrongBox<bool>(IsToken(type))).Value;

    public override object Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) => throw new NotSupportedException("AsyncLog only writes JSON.");

    public override void Write(Utf8JsonWriter writer, object value, JsonSerializerOptions options)
    {
        // As System.Text.Json does: what lies deeper is cut off.
        if (writer.CurrentDepth >= ObjectJson.SerializedDepth)
            throw new JsonException("The object is nested too deep.");
        if (KeyedPairs.IsJson(value))
            WriteScalar(writer, KeyedPairs.ContentOf(value, out _));
        else if (KeyedPairs.Of((IEnumerable)value) is { } pairs)
            WriteObject(writer, pairs, (IEnumerable)value, options);
        else
            WriteArray(writer, (IEnumerable)value, options);
    }

    private static void WriteScalar(Utf8JsonWriter writer, in LogValue value)
    {
        if (value.Kind == LogValueKind.Null)
            writer.WriteNullValue();
        else if (value.Kind == LogValueKind.Boolean)
            writer.WriteBooleanValue(value.Get<bool>());
        else if (ValueText.IsJsonNumber(value))
            writer.WriteRawValue(value.ToString());
        else
            writer.WriteStringValue(value.ToString());
    }

    private void WriteObject(Utf8JsonWriter writer, KeyedPairs pairs, IEnumerable items, JsonSerializerOptions options)
    {
        writer.WriteStartObject();
        var entries = pairs.Enumerate(items);
        try
        {
            while (entries.MoveNext())
            {
                writer.WritePropertyName(pairs.KeyOf(entries.Current!)?.ToString() ?? "");
                WriteItem(writer, pairs.ValueOf(entries.Current!), options);
            }
        }
        finally
        {
            (entries as IDisposable)?.Dispose();
        }

        writer.WriteEndObject();
    }

    private void WriteArray(Utf8JsonWriter writer, IEnumerable items, JsonSerializerOptions options)
    {
        writer.WriteStartArray();
        foreach (var item in items)
            WriteItem(writer, item, options);
        writer.WriteEndArray();
    }

    // Elements of the same kind need no contract.
    private void WriteItem(Utf8JsonWriter writer, object? item, JsonSerializerOptions options)
    {
        if (item is null)
            writer.WriteNullValue();
        else if (CanConvert(item.GetType()))
            Write(writer, item, options);
        else
            JsonSerializer.Serialize(writer, item, options.GetTypeInfo(item.GetType()));
    }

    // A converter that the type itself names is the type's own, and System.Text.Json has one for its nodes.
    [UnconditionalSuppressMessage("Trimming", "IL2070", Justification = "A type whose interface was trimmed away is written by System.Text.Json.")]
    private static bool IsToken(Type type)
    {
        if (type == typeof(string) || !type.IsAssignableTo(typeof(IEnumerable)) || type.IsAssignableTo(typeof(JsonNode)) || type.IsDefined(typeof(JsonConverterAttribute)))
            return false;
        if (!type.IsAssignableTo(typeof(ICollection)) && (type.IsAssignableTo(typeof(IConvertible)) || type.IsAssignableTo(typeof(IFormattable))))
            return true;
        return type.GetInterfaces().Any(candidate => candidate.IsGenericType && candidate.GetGenericTypeDefinition() == typeof(IEnumerable<>)
            && candidate.GetGenericArguments()[0] is { IsClass: true } element && element.IsAssignableFrom(type) && element.IsAssignableTo(typeof(IEnumerable)));
    }
}

/// <summary>Writes enums as names where no code can be made at run time.</summary>
internal sealed class EnumTextConverter : JsonConverter<object>
{
    public override bool CanConvert(Type typeToConvert) => typeToConvert.IsEnum;

    public override object Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) => throw new NotSupportedException("AsyncLog only writes JSON.");

    public override void Write(Utf8JsonWriter writer, object value, JsonSerializerOptions options)
        => writer.WriteStringValue(value.ToString());

    public override void WriteAsPropertyName(Utf8JsonWriter writer, object value, JsonSerializerOptions options)
        => writer.WritePropertyName(value.ToString()!);
}
