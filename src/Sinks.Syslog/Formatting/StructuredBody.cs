namespace AsyncLog;

/// <summary>Structured data and text of RFC 5424, and how they share the room when it is not enough.</summary>
internal sealed class StructuredBody : ISyslogBody
{
    /// <summary>The text keeps this part of the limit, if it needs it.</summary>
    private const int TextShare = 4;

    private readonly StructuredData _data;
    private readonly StructuredDataCut _cut;
    private readonly MessageText _message;
    private readonly WireText _text;
    private readonly SyslogBom _bom;
    private readonly bool _keepsControls;
    private readonly int _limit;
    private readonly int _nilLength;

    public StructuredBody(SyslogLayout layout, LogTemplate? template, bool withScopes)
    {
        _message = new MessageText(template);
        _cut = new StructuredDataCut(layout);
        _data = new StructuredData(layout, withScopes, _cut, BudgetOf);
        _text = new WireText(layout.ControlCharacters, isParameter: false);
        _bom = layout.Bom;
        _keepsControls = layout.ControlCharacters == SyslogControlCharacters.Keep;
        // The worker's element takes the place of a lone nil.
        _limit = layout.MaxMessageBytes - (layout.SequenceId ? RecordFraming.MaxNumberBytes : 0);
        _nilLength = layout.SequenceId ? 0 : 1;
    }

    private static ReadOnlySpan<byte> BomBytes => [0xEF, 0xBB, 0xBF];

    /// <inheritdoc/>
    public int Write(ref WireWriter writer, int start, LogEvent logEvent, bool withEventName, SyslogScratch scratch)
    {
        var data = writer.Position;
        _data.Write(ref writer, logEvent, scratch, withEventName, start + _limit);
        var text = _message.Of(logEvent, _limit, scratch);
        var bom = text.IsEmpty || !WantsBom(logEvent, text) ? default : BomBytes;
        var end = EndOf(start, scratch.Parameters.Count);
        if (TryWriteText(ref writer, text, bom, end))
        {
            logEvent.WasTruncated = HasCutValue(scratch.Parameters.Items);
            return data + _data.NumberAt;
        }

        return WriteCut(ref writer, start, data, logEvent, text, bom, scratch);
    }

    private static bool HasCutValue(ReadOnlySpan<Parameter> parameters)
    {
        foreach (ref readonly var parameter in parameters)
        {
            if (parameter.IsCut && parameter.IsKept)
                return true;
        }

        return false;
    }

    /// <summary>Where the record must end, when a nil value counts only as long as it stays.</summary>
    private int EndOf(int start, int parameters) => start + _limit + (parameters == 0 ? 1 - _nilLength : 0);

    /// <summary>Writes the text if all of it fits.</summary>
    private bool TryWriteText(ref WireWriter writer, ReadOnlySpan<byte> text, ReadOnlySpan<byte> bom, int end)
    {
        if (text.IsEmpty)
            return writer.Position <= end;
        var dataEnd = writer.Position;
        if (end - dataEnd <= bom.Length)
            return false;
        writer.Write((byte)' ');
        writer.Write(bom);
        if (!_text.Write(ref writer, text, end - writer.Position))
            return true;
        writer.Position = dataEnd;
        return false;
    }

    private int WriteCut(
        ref WireWriter writer, int start, int data, LogEvent logEvent, ReadOnlySpan<byte> text, ReadOnlySpan<byte> bom, SyslogScratch scratch)
    {
        var parameters = scratch.Parameters.Items;
        if (scratch.Room is not { } room)
        {
            room = new DataRoom(BudgetOf(ref writer, data, start + _limit, text, bom));
            _cut.Decide(parameters, ref room);
        }

        var dropped = room.Dropped;
        var kept = scratch.KeptOf(writer.Position - data + _cut.LongestDropped).AsSpan();
        kept = kept[.._cut.Write(writer.Written, parameters, dropped, kept, out var numberAt)];
        writer.Position = data;
        writer.Write(kept.IsEmpty ? "-"u8 : kept);
        logEvent.PropertiesLeftOut = dropped;
        logEvent.WasTruncated = HasCutValue(parameters);
        if (!text.IsEmpty)
        {
            writer.Write((byte)' ');
            writer.Write(bom);
            logEvent.WasTruncated |= _text.Write(ref writer, text, start + _limit + (kept.IsEmpty ? 1 - _nilLength : 0) - writer.Position);
        }

        return data + numberAt;
    }

    private int BudgetOf(ref WireWriter writer, int data, int end, LogEvent logEvent, SyslogScratch scratch)
    {
        var text = _message.Of(logEvent, _limit, scratch);
        return BudgetOf(ref writer, data, end, text, text.IsEmpty || !WantsBom(logEvent, text) ? default : BomBytes);
    }

    // From the start to the structured data: the header and one space.
    private int BudgetOf(ref WireWriter writer, int data, int end, ReadOnlySpan<byte> text, ReadOnlySpan<byte> bom)
    {
        var most = _limit / TextShare;
        return end - data - (text.IsEmpty ? 0 : 1 + Math.Min(bom.Length + _text.Measure(ref writer, text, most), most));
    }

    // Decided before any cut, which would otherwise depend on the mark it makes room for.
    private bool WantsBom(LogEvent logEvent, ReadOnlySpan<byte> text) => _bom switch
    {
        SyslogBom.Always => true,
        SyslogBom.NonAscii => _message.IsBeyondAscii(logEvent, text, _keepsControls),
        _ => false,
    };
}
