using System.Text;
using System.Text.Json.Nodes;
using System.Text.Unicode;

namespace AsyncLog;

/// <summary>Writes values of properties as AnyValue, typed where OTLP has the type.</summary>
/// <param name="mostUnits">The most UTF-16 units of a string in a value.</param>
/// <param name="recordSize">The most bytes of a record; what is longer is not rendered to its end, for it will be cut.</param>
internal sealed class AttributeValues(int mostUnits, int recordSize)
{
    private const int MostBytesPerUnit = 3;
    private const int BoolSize = 2;
    private const int DoubleSize = 9;

    // NaN has many forms; that of double.NaN is negative on x64.
    private const ulong CanonicalNaN = 0x7FF8000000000000;

    // One more than fits, so that the record is seen to be too long.
    private readonly int _units = Math.Min(mostUnits, recordSize + 1);

    /// <summary>The most bytes of a block of bytes, or of all elements of a container, that are rendered.</summary>
    public int MostBytes => recordSize + 1;

    /// <summary>Writes a value.</summary>
    /// <param name="writer">Where to.</param>
    /// <param name="tag">The field that holds the AnyValue.</param>
    /// <param name="value">The value.</param>
    /// <param name="depth">The level of the value if it is a container; 1 is the attribute's own.</param>
    /// <param name="logEvent">The event it belongs to.</param>
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
            case LogValueKind.Object: WriteObject(ref writer, tag, value, depth, logEvent, scratch); break;
            default: WriteOther(ref writer, tag, value, logEvent); break;
        }
    }

    /// <summary>The part of a string that is written.</summary>
    public ReadOnlySpan<char> Bounded(string text) => TextCutting.Start(text, _units);

    /// <summary>Writes a string within the limit of its length.</summary>
    public void WriteText(ref ProtoWriter writer, byte tag, string text) => writer.WriteNested(tag, OtlpTag.Text, Bounded(text));

    /// <summary>Writes a string that many records have.</summary>
    public void WriteStanding(ref ProtoWriter writer, byte tag, string text)
    {
        if (text.Length <= _units)
            writer.WriteNestedStanding(tag, OtlpTag.Text, text);
        else
            WriteText(ref writer, tag, text);
    }

    /// <summary>Writes a whole number.</summary>
    public static void WriteInt(ref ProtoWriter writer, byte tag, long value) => writer.WriteNestedVarint(tag, OtlpTag.Int, (ulong)value);

    /// <summary>Writes a value without content.</summary>
    public static void WriteEmpty(ref ProtoWriter writer, byte tag) => writer.Write([tag, 0]);

    /// <summary>Writes valid UTF-8 within the limit of its length.</summary>
    private void WriteUtf8(ref ProtoWriter writer, byte tag, scoped ReadOnlySpan<byte> utf8)
        => writer.WriteNested(tag, OtlpTag.Text, TextCutting.StartOfUnits(utf8, _units));

    private static void WriteBool(ref ProtoWriter writer, byte tag, bool value) => writer.Write([tag, BoolSize, OtlpTag.Bool, value ? (byte)1 : (byte)0]);

    private static void WriteDouble(ref ProtoWriter writer, byte tag, double value)
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
            case JsonValue node when KeyedPairs.ScalarOf(node) is { Kind: not LogValueKind.Object } scalar: Write(ref writer, tag, scalar, depth, logEvent, scratch); break;
            case System.Collections.IEnumerable items: AttributeContainers.Write(this, ref writer, tag, items, depth, logEvent, scratch); break;
            default: WriteOther(ref writer, tag, value, logEvent); break;
        }
    }

    private void WriteBlock(ref ProtoWriter writer, byte tag, scoped ReadOnlySpan<byte> bytes)
        => writer.WriteNested(tag, OtlpTag.Bytes, bytes[..Math.Min(bytes.Length, MostBytes)]);

    private void WriteOther(ref ProtoWriter writer, byte tag, in LogValue value, LogEvent logEvent)
    {
        if (mostUnits == int.MaxValue && TryWriteShort(ref writer, tag, value))
            return;
        var text = logEvent.GetText(value, (int)Math.Min((long)_units * MostBytesPerUnit, MostBytes));
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
}
