using System.Diagnostics;

namespace AsyncLog;

/// <summary>Truncates an encoded record that exceeds its limit: shares the room among message, properties and exception, and drops parts without room.</summary>
internal static class RecordTruncation
{
    // An eighth of the record for the event's name, at three bytes a character.
    private const int NameShare = 24;

    // Tags and lengths of the body and the string in it.
    private const int BodyHeaders = 8;

    // The most bytes of tags and lengths of an attribute, its key, its value and the string in that.
    private const int AttributeHeaders = 4 * (1 + 3);

    /// <summary>Rewrites the record behind its first fields.</summary>
    /// <param name="bodyLength">The length of the whole body; the record may hold the beginning only.</param>
    /// <param name="recordSize">The most bytes of the record.</param>
    /// <returns>All attributes left out.</returns>
    public static int Truncate(ref ProtoWriter writer, in RecordParts parts, LogEvent logEvent, long bodyLength, int dropped, int recordSize, OtlpScratch scratch)
    {
        ReadOnlySpan<byte> whole = scratch.Keep(writer.Written);
        ReadOnlySpan<byte> eventId = whole[parts.EventId..parts.Exception];
        ReadOnlySpan<byte> exception = whole[parts.Exception..parts.Properties];
        ReadOnlySpan<byte> properties = whole[parts.Properties..parts.End];
        writer.Position = parts.Body;
        var room = recordSize - (parts.Body - parts.Start) - MeasureEnd(ref writer, logEvent, recordSize) - BodyHeaders - eventId.Length;
        var exceptionSize = SizeOf(exception);
        var share = TruncationBudget.Share(room, bodyLength, properties.Length, exceptionSize);
        var fitting = SizeOfFitting(properties, share.Properties, out var rest, out var leftOut);
        // The first attribute that does not fit is truncated if it is a string; else its room is shared again.
        var isTruncating = TryReadText(rest, out var key, out var text);
        if (leftOut > 0 && !isTruncating)
            share = TruncationBudget.Share(room, bodyLength, fitting, exceptionSize);

        WriteBody(ref writer, whole[parts.Body..parts.EventId], bodyLength, share.Message);
        writer.Write(eventId);
        dropped += WriteException(ref writer, exception, share.Exception);
        writer.Write(properties[..fitting]);
        if (isTruncating && TryWriteAttribute(ref writer, key, text, share.Properties - fitting))
            leftOut--;
        dropped += leftOut;
        RecordFields.WriteEnd(ref writer, logEvent, dropped, recordSize / NameShare);
        Debug.Assert(writer.Position - parts.Start <= recordSize, "A truncated record must not exceed its limit.");
        return dropped;
    }

    private static int MeasureEnd(ref ProtoWriter writer, LogEvent logEvent, int recordSize)
    {
        var start = writer.Position;
        RecordFields.WriteEnd(ref writer, logEvent, int.MaxValue, recordSize / NameShare);
        var length = writer.Position - start;
        writer.Position = start;
        return length;
    }

    // The attributes at the front that fit, the first one that does not, and how many do not.
    private static int SizeOfFitting(ReadOnlySpan<byte> attributes, int budget, out ReadOnlySpan<byte> rest, out int leftOut)
    {
        var size = 0;
        rest = default;
        leftOut = 0;
        var reader = new ProtoReader(attributes);
        while (reader.Read())
        {
            var next = size + ProtoWriter.SizeOfField(reader.Content.Length);
            if (leftOut == 0 && next <= budget)
                size = next;
            else if (leftOut++ == 0)
                rest = reader.Content;
        }

        return size;
    }

    private static void WriteBody(ref ProtoWriter writer, ReadOnlySpan<byte> body, long length, int budget)
    {
        var field = new ProtoReader(body);
        if (!field.Read())
            return;
        var value = new ProtoReader(field.Content);
        value.Read();
        var start = writer.Open(OtlpTag.Body);
        WriteText(ref writer, value.Content, length, budget);
        writer.Close(start);
    }

    private static int WriteException(ref ProtoWriter writer, ReadOnlySpan<byte> exception, int budget)
    {
        var end = writer.Position + budget;
        var leftOut = 0;
        var reader = new ProtoReader(exception);
        for (var read = 0; reader.Read();)
        {
            read += ProtoWriter.SizeOfField(reader.Content.Length);
            TryReadText(reader.Content, out var key, out var text);
            var left = end - writer.Position;
            // The stack trace begins with type and message: half of the room is enough for the message alone.
            if (key.SequenceEqual("exception.message"u8) && SizeOf(exception[read..]) > left / 2)
                left /= 2;
            if (!TryWriteAttribute(ref writer, key, text, left))
                leftOut++;
        }

        return leftOut;
    }

    // The most bytes that attributes with texts take.
    private static long SizeOf(ReadOnlySpan<byte> attributes)
    {
        long size = 0;
        var reader = new ProtoReader(attributes);
        while (reader.Read())
        {
            TryReadText(reader.Content, out var key, out var text);
            size += AttributeHeaders + key.Length + text.Length;
        }

        return size;
    }

    private static bool TryReadText(ReadOnlySpan<byte> attribute, out ReadOnlySpan<byte> key, out ReadOnlySpan<byte> text)
    {
        var reader = new ProtoReader(attribute);
        reader.Read();
        key = reader.Content;
        reader.Read();
        var value = new ProtoReader(reader.Content);
        var isText = value.Read() && value.Field == OtlpTag.Text >> 3;
        text = isText ? value.Content : default;
        return isText;
    }

    // False, and nothing written, if not even the mark of a truncated text has room.
    private static bool TryWriteAttribute(ref ProtoWriter writer, ReadOnlySpan<byte> key, ReadOnlySpan<byte> text, int budget)
    {
        var room = budget - key.Length - AttributeHeaders;
        if (text.Length > room && room < Truncation.Mark.Length)
            return false;
        var start = writer.Open(OtlpTag.Attribute);
        writer.WriteBytes(OtlpTag.Key, key);
        var value = writer.Open(OtlpTag.Value);
        WriteText(ref writer, text, text.Length, room);
        writer.Close(value);
        writer.Close(start);
        return true;
    }

    private static void WriteText(ref ProtoWriter writer, ReadOnlySpan<byte> text, long length, int budget)
    {
        if (length <= budget)
        {
            writer.WriteBytes(OtlpTag.Text, text);
            return;
        }

        var start = writer.Open(OtlpTag.Text);
        writer.Write(text[..Truncation.WholeRunes(text, budget - Truncation.Mark.Length)]);
        writer.Write(Truncation.Mark);
        writer.Close(start);
    }
}

/// <summary>Offsets of the parts of an encoded record.</summary>
internal readonly record struct RecordParts(int Start, int Body, int EventId, int Exception, int Properties, int End);
