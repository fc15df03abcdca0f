using System.Buffers;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace AsyncLog.Bench;

/// <summary>The object of calls with an object: five members, two lines with three each, 205 bytes as JSON.</summary>
internal sealed record PlacedOrder(int Id, string Customer, OrderStatus Status, DateTimeOffset PlacedAt, OrderLine[] Lines);

internal sealed record OrderLine(string Item, int Count, decimal Price);

internal enum OrderStatus
{
    Open,
    Completed,
}

/// <summary>Serializes an object with System.Text.Json to memory that is reused, with the options that AsyncLog has by default.</summary>
internal static class SerializedOrder
{
    private static readonly JsonSerializerOptions Options = new()
    {
        ReferenceHandler = ReferenceHandler.IgnoreCycles,
        DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
        NumberHandling = JsonNumberHandling.AllowNamedFloatingPointLiterals,
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
        Converters = { new JsonStringEnumConverter() },
    };

    private static readonly ArrayBufferWriter<byte> Buffer = new(1024);
    private static readonly Utf8JsonWriter Writer = new(Buffer, new JsonWriterOptions { Encoder = Options.Encoder, SkipValidation = true });

    /// <summary>Writes the JSON; for one thread.</summary>
    public static ReadOnlySpan<byte> Write(PlacedOrder order)
    {
        Buffer.ResetWrittenCount();
        Writer.Reset();
        JsonSerializer.Serialize(Writer, order, Options);
        return Buffer.WrittenSpan;
    }
}
