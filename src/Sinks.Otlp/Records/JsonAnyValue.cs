using System.Text.Json;

namespace AsyncLog;

/// <summary>Writes JSON as AnyValue: an object as a list of keys and values, an array as a list of values.</summary>
/// <param name="units">The most UTF-16 units of a string.</param>
internal readonly struct JsonAnyValue(int units)
{
    /// <summary>Writes a value.</summary>
    /// <param name="writer">The destination.</param>
    /// <param name="tag">The field that holds the AnyValue.</param>
    /// <param name="json">Valid JSON.</param>
    public void Write(ref ProtoWriter writer, byte tag, ReadOnlySpan<byte> json)
    {
        var reader = new Utf8JsonReader(json);
        reader.Read();
        Write(ref writer, tag, ref reader);
    }

    private void Write(ref ProtoWriter writer, byte tag, ref Utf8JsonReader reader)
    {
        switch (reader.TokenType)
        {
            case JsonTokenType.StartObject: WriteObject(ref writer, tag, ref reader); break;
            case JsonTokenType.StartArray: WriteArray(ref writer, tag, ref reader); break;
            case JsonTokenType.String: WriteText(ref writer, tag, ref reader); break;
            case JsonTokenType.Number: WriteNumber(ref writer, tag, ref reader); break;
            case JsonTokenType.True or JsonTokenType.False: AnyValueWriter.WriteBool(ref writer, tag, reader.GetBoolean()); break;
            default: AnyValueWriter.WriteEmpty(ref writer, tag); break;
        }
    }

    private void WriteObject(ref ProtoWriter writer, byte tag, ref Utf8JsonReader reader)
    {
        var members = default(AnyValueWriter.Members);
        var value = writer.Open(tag);
        var map = writer.Open(OtlpTag.Map);
        for (var count = 0; reader.Read() && reader.TokenType != JsonTokenType.EndObject; count++)
        {
            var member = writer.Open(OtlpTag.Element);
            var keyStart = writer.Position;
            if (reader.ValueIsEscaped)
                writer.WriteText(OtlpTag.Key, reader.GetString());
            else
                writer.WriteBytes(OtlpTag.Key, reader.ValueSpan);
            var keyLength = writer.Position - keyStart;
            reader.Read();
            Write(ref writer, OtlpTag.Value, ref reader);
            writer.Close(member);
            // The serializer gives each key once, unless a policy of the application makes keys of a dictionary equal.
            if (count < AnyValueWriter.MaxElements)
                members.Add(ref writer, member - 2, keyLength);
        }

        writer.Close(map);
        writer.Close(value);
    }

    private void WriteArray(ref ProtoWriter writer, byte tag, ref Utf8JsonReader reader)
    {
        var value = writer.Open(tag);
        var array = writer.Open(OtlpTag.Array);
        while (reader.Read() && reader.TokenType != JsonTokenType.EndArray)
            Write(ref writer, OtlpTag.Element, ref reader);
        writer.Close(array);
        writer.Close(value);
    }

    private void WriteText(ref ProtoWriter writer, byte tag, ref Utf8JsonReader reader)
    {
        if (reader.ValueIsEscaped)
            writer.WriteNested(tag, OtlpTag.Text, TextPrefix.Of(reader.GetString()!, units));
        else
            writer.WriteNested(tag, OtlpTag.Text, TextPrefix.OfUtf8(reader.ValueSpan, units));
    }

    // As the values of JsonElement: what is no 64-bit number is its text.
    private void WriteNumber(ref ProtoWriter writer, byte tag, ref Utf8JsonReader reader)
    {
        if (reader.TryGetInt64(out var whole))
            AnyValueWriter.WriteInt(ref writer, tag, whole);
        else if (!reader.TryGetUInt64(out _) && reader.TryGetDouble(out var number) && double.IsFinite(number))
            AnyValueWriter.WriteDouble(ref writer, tag, number);
        else
            writer.WriteNested(tag, OtlpTag.Text, TextPrefix.OfUtf8(reader.ValueSpan, units));
    }
}
