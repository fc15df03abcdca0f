using System.Text;

namespace AsyncLog;

/// <summary>What the layouts of one JSON object a line have in common. A record is: start, time stamp, head, message, middle, exception, end of the
/// head, properties, scopes.</summary>
internal abstract class JsonRecordLayout
{
    /// <summary>Lists up to this length are judged on the stack.</summary>
    protected const int StackMembers = 64;

    private const int LongestEscape = 6;
    private readonly TimestampFormat _timestamp;
    private readonly bool _withScopes;

    protected JsonRecordLayout(RecordLayout layout, TimestampFormat timestamp)
    {
        _timestamp = timestamp;
        _withScopes = layout.IncludeScopes ?? true;
        Constants = JsonConstant.From(layout.Properties);
        NewLine = Encoding.UTF8.GetBytes(layout.NewLine);
        End = [(byte)'}', .. NewLine];
    }

    public byte[] NewLine { get; }

    /// <summary>What ends a record.</summary>
    public byte[] End { get; }

    /// <summary>The key of the exception with what stands before it.</summary>
    public abstract ReadOnlySpan<byte> ExceptionKey { get; }

    /// <summary>Everything before the digits of the time stamp.</summary>
    protected abstract ReadOnlySpan<byte> Start { get; }

    /// <summary>What stands before the first property.</summary>
    protected abstract ReadOnlySpan<byte> Opening { get; }

    /// <summary>What closes the object that properties are in, or 0.</summary>
    protected abstract byte Closer { get; }

    /// <summary>The constant properties.</summary>
    protected JsonConstant[] Constants { get; }

    /// <summary>Writes the object's first member, up to the end of the time stamp.</summary>
    public void WriteStart(ref Utf8Writer writer, LogEvent logEvent, FormatScratch scratch)
    {
        writer.Write(Start);
        _timestamp.Write(ref writer, logEvent.UtcTicks, scratch.Timestamps);
    }

    /// <summary>Writes what is between the time stamp and the message, quotes included; names from the application in at most <paramref name="most"/>
    /// bytes each. Depends on nothing but level, event id, category and template.</summary>
    public abstract void WriteHead(ref Utf8Writer writer, LogEvent logEvent, int most, FormatScratch scratch);

    /// <summary>Writes what is between message and exception.</summary>
    public abstract void WriteMiddle(ref Utf8Writer writer, LogEvent logEvent);

    /// <summary>Writes what is between the exception and the members that every record of one call has.</summary>
    public abstract void WriteTail(ref Utf8Writer writer, LogEvent logEvent);

    /// <summary>Writes the members before the properties; as <see cref="WriteHead"/>.</summary>
    public abstract void WriteSource(ref Utf8Writer writer, LogEvent logEvent, int most, FormatScratch scratch);

    /// <summary>Writes scopes.</summary>
    public abstract void WriteScopes(ref Utf8Writer writer, LogEvent logEvent, FormatScratch scratch);

    /// <summary>Whether the key of a property is the same whatever else is in the record.</summary>
    public abstract bool IsFixedKey(string name);

    /// <summary>Writes the properties of the event, those of the layout, and the template if the layout has it here.</summary>
    public void WriteProperties(ref Utf8Writer writer, LogEvent logEvent, FormatScratch scratch)
    {
        var properties = logEvent.Properties;
        Span<bool> isLast = properties.Length <= StackMembers ? stackalloc bool[properties.Length] : new bool[properties.Length];
        var isFirst = PropertyNames.MarkLast(properties, isLast) == 0;
        var separator = Opening;
        for (var i = 0; i < properties.Length; i++)
        {
            if (!isLast[i])
                continue;
            WriteMember(ref writer, separator, properties[i], Closer, logEvent, scratch);
            separator = ","u8;
        }
        WriteAfterProperties(ref writer, logEvent, isFirst, scratch);
    }

    /// <summary>Writes what follows the event's own properties: those of the layout and the template, if the layout has it here.</summary>
    public void WriteAfterProperties(ref Utf8Writer writer, LogEvent logEvent, bool isFirst, FormatScratch scratch)
    {
        foreach (var constant in Constants)
        {
            if (PropertyNames.FindLast(logEvent.Properties, constant.Name) >= 0 || IsTaken(constant.Name, logEvent))
                continue;
            scratch.Marks?.Begin(writer.Position);
            WriteKey(ref writer, isFirst, constant.Name, logEvent, scratch);
            isFirst = false;
            scratch.Marks?.BeginValue(writer.Position);
            writer.Write(constant.Value);
            scratch.Marks?.End(writer.Position, Closer);
        }
        isFirst &= !WriteTemplate(ref writer, logEvent, isFirst ? Opening : ","u8, scratch);
        if (!isFirst && Closer != 0)
            writer.Write(Closer);
    }

    /// <summary>Writes the key of a property with what separates it from the one before.</summary>
    public void WriteKey(ref Utf8Writer writer, bool isFirst, string name, LogEvent logEvent, FormatScratch scratch)
    {
        writer.Write(isFirst ? Opening : ","u8);
        WriteKey(ref writer, name, logEvent, scratch);
    }

    /// <summary>Writes the key of a property and the colon.</summary>
    protected abstract void WriteKey(ref Utf8Writer writer, string name, LogEvent logEvent, FormatScratch scratch);

    /// <summary>Writes a property with what stands before it.</summary>
    protected void WriteMember(
        ref Utf8Writer writer, scoped ReadOnlySpan<byte> separator, in LogProperty property, byte closer, LogEvent logEvent, FormatScratch scratch)
    {
        scratch.Marks?.Begin(writer.Position);
        writer.Write(separator);
        WriteKey(ref writer, property.Name, logEvent, scratch);
        scratch.Marks?.BeginValue(writer.Position);
        JsonText.Write(ref writer, property.ValueRef, scratch);
        scratch.Marks?.End(writer.Position, closer);
    }

    /// <summary>Writes the template as the last of the properties, if the layout has it there; false: nothing was written.</summary>
    protected abstract bool WriteTemplate(ref Utf8Writer writer, LogEvent logEvent, scoped ReadOnlySpan<byte> separator, FormatScratch scratch);

    /// <summary>Whether a name among the properties is the layout's own in this record.</summary>
    protected abstract bool IsTaken(string name, LogEvent logEvent);

    /// <summary>Whether the layout has a constant property of the name.</summary>
    protected bool HasConstant(string name)
    {
        // Not with a delegate, which would be made for each name.
        foreach (var constant in Constants)
        {
            if (PropertyNames.Same(constant.Name, name))
                return true;
        }
        return false;
    }

    protected static void WriteTrace(
        ref Utf8Writer writer, LogEvent logEvent, scoped ReadOnlySpan<byte> traceKey, scoped ReadOnlySpan<byte> spanKey)
    {
        if (!logEvent.HasTrace)
            return;
        writer.Write(traceKey);
        writer.Write(logEvent.TraceId.ToHexString());
        writer.Write(spanKey);
        writer.Write(logEvent.SpanId.ToHexString());
        writer.Write((byte)'"');
    }

    /// <summary>The scopes that are written.</summary>
    protected int CountScopes(LogEvent logEvent) => _withScopes ? logEvent.ScopeCount : 0;

    /// <summary>Writes a text from the application, with quotes, in at most <paramref name="most"/> bytes.</summary>
    protected static void WriteName(ref Utf8Writer writer, string name, int most, FormatScratch scratch)
    {
        if (name.Length <= most / LongestEscape)
        {
            JsonText.WriteString(ref writer, scratch.Bounded(name), EscapeStyle.Json);
            return;
        }
        scratch.Piece.Reset(most);
        var piece = new Utf8Writer(scratch.Piece);
        Escaping.Write(ref piece, scratch.Bounded(name), EscapeStyle.Json);
        piece.Flush();
        writer.Write((byte)'"');
        Truncation.Write(ref writer, scratch.Piece.WrittenSpan, scratch.Piece.Total, most, EscapeStyle.Json);
        writer.Write((byte)'"');
    }
}
