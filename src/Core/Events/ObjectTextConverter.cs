using System.Globalization;
using System.Net;
using System.Numerics;
using System.Reflection;
using System.Text.Json;
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
