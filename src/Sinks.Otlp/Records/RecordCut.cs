using System.Runtime.InteropServices;

namespace AsyncLog;

/// <summary>Writes a record that is larger than its limit: shares the room among message, properties and exception.</summary>
/// <param name="body">The record's body.</param>
/// <param name="attributes">Attributes from the event.</param>
/// <param name="exceptions">Attributes of the exception.</param>
/// <param name="attributeLimit">The most attributes.</param>
/// <param name="recordSize">The most bytes of the record.</param>
internal sealed class RecordCut(RecordBody body, AttributeWriter attributes, ExceptionAttributes exceptions, int attributeLimit, int recordSize)
{
    // An eighth of the record for the event's name, at three bytes a character.
    private const int NameShare = 24;

    // Tags and lengths of the body and the string in it.
    private const int BodyHeaders = 8;

    /// <summary>Writes the record from where the writer is.</summary>
    public void Write(ref ProtoWriter writer, LogEvent logEvent, OtlpScratch scratch)
    {
        var recordStart = writer.Position;
        RecordFields.WriteStart(ref writer, logEvent);
        var room = recordSize - (writer.Position - recordStart) - MeasureEnd(ref writer, logEvent) - BodyHeaders;
        var tally = new AttributeTally(attributeLimit);
        var start = writer.Position;
        attributes.WriteEventId(ref writer, logEvent, ref tally);
        byte[] eventId = [.. writer.Written[start..]];
        writer.Position = start;
        var exception = exceptions.Take(logEvent, ref tally);
        KeepAttributes(ref writer, logEvent, ref tally, scratch);

        room -= eventId.Length;
        var marks = CollectionsMarshal.AsSpan(scratch.Marks);
        var attributeSize = marks.IsEmpty ? 0 : marks[^1].End;
        var share = TruncationBudget.Share(room, body.LengthOf(logEvent), attributeSize, exceptions.SizeOf(exception));
        var kept = CountOf(marks, share.Properties);
        // What follows the attributes that fit is cut only if it is a string; else its room passes on.
        var isCutting = kept < marks.Length && marks[kept].TextStart >= 0;
        if (kept < marks.Length && !isCutting)
            share = TruncationBudget.Share(room, body.LengthOf(logEvent), kept == 0 ? 0 : marks[kept - 1].End, exceptions.SizeOf(exception));

        body.WriteCut(ref writer, logEvent, share.Message);
        writer.Write(eventId);
        var dropped = tally.Dropped + exceptions.WriteCut(ref writer, exception, share.Exception);
        dropped += WriteKept(ref writer, scratch, kept, isCutting ? share.Properties : 0);
        RecordFields.WriteEnd(ref writer, logEvent, dropped, recordSize / NameShare);
        logEvent.WasTruncated = true;
        logEvent.PropertiesLeftOut = dropped;
    }

    private int MeasureEnd(ref ProtoWriter writer, LogEvent logEvent)
    {
        var start = writer.Position;
        RecordFields.WriteEnd(ref writer, logEvent, int.MaxValue, recordSize / NameShare);
        var length = writer.Position - start;
        writer.Position = start;
        return length;
    }

    private void KeepAttributes(ref ProtoWriter writer, LogEvent logEvent, ref AttributeTally tally, OtlpScratch scratch)
    {
        var start = writer.Position;
        scratch.Marks.Clear();
        scratch.IsMarking = true;
        attributes.Write(ref writer, logEvent, ref tally, scratch);
        scratch.IsMarking = false;
        scratch.Keep(writer.Written[start..]);
        writer.Position = start;
    }

    private static int CountOf(ReadOnlySpan<AttributeMark> marks, int budget)
    {
        var count = 0;
        while (count < marks.Length && marks[count].End <= budget)
            count++;
        return count;
    }

    /// <summary>Writes the attributes that are kept, and the next one if it can be cut; gives back how many are left out.</summary>
    private static int WriteKept(ref ProtoWriter writer, OtlpScratch scratch, int kept, int budgetWithCut)
    {
        var marks = scratch.Marks;
        var end = kept == 0 ? 0 : marks[kept - 1].End;
        writer.Write(scratch.Kept.AsSpan(0, end));
        var leftOut = marks.Count - kept;
        if (budgetWithCut == 0)
            return leftOut;
        var next = marks[kept];
        var key = scratch.Kept.AsSpan(next.KeyStart, next.KeyLength);
        return TextAttribute.TryWrite(ref writer, key, scratch.Kept.AsSpan(next.TextStart..next.End), budgetWithCut - end) ? leftOut - 1 : leftOut;
    }
}
