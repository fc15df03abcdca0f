using System.Text;

namespace AsyncLog;

/// <summary>The common part of the layouts of one JSON object a line. A record is: start, timestamp, head, message, middle, exception, tail, source,
/// properties, scopes.</summary>
internal abstract class JsonRecordLayout : IContextLayout
{
    /// <summary>The insert with the ids of the activity, after the message.</summary>
    public const int TraceInsert = 0;

    /// <summary>The insert with the scopes, before the end.</summary>
    public const int ScopesInsert = 1;

    /// <summary>Lists up to this length are searched for duplicate names on the stack.</summary>
    protected const int StackMembers = 64;

    private readonly LogProperty[] _constants;

    protected JsonRecordLayout(RecordLayout layout, TimestampFormat timestamp)
    {
        Timestamp = timestamp;
        HasScopes = layout.IncludeScopes ?? true;
        _constants = [.. layout.Properties.Where(static pair => pair.Key.Length > 0).Select(static pair => new LogProperty(pair.Key, LogValue.FromString(pair.Value)))];
        NewLine = Encoding.UTF8.GetBytes(layout.NewLine);
        End = [(byte)'}', .. NewLine];
        Beginning = Start.ToArray();
    }

    public TimestampFormat Timestamp { get; }

    /// <summary>True if scopes are written.</summary>
    public bool HasScopes { get; }

    public int Inserts => ScopesInsert + 1;

    /// <summary>True if the properties of scopes are members beside those of the state.</summary>
    public abstract bool MergesScopes { get; }

    /// <summary>Everything before the timestamp.</summary>
    public byte[] Beginning { get; }

    public byte[] NewLine { get; }

    /// <summary>The end of a record.</summary>
    public byte[] End { get; }

    /// <summary>The key of the exception with its separators.</summary>
    public abstract ReadOnlySpan<byte> ExceptionKey { get; }

    /// <summary>The name of the template among the properties; null: it is not there.</summary>
    public abstract string? TemplateName { get; }

    /// <summary>Everything before the timestamp.</summary>
    protected abstract ReadOnlySpan<byte> Start { get; }

    /// <summary>The separator before the first property.</summary>
    protected abstract ReadOnlySpan<byte> Opening { get; }

    /// <summary>The bracket that closes the object of the properties, or 0.</summary>
    protected abstract byte Closer { get; }

    /// <summary>Writes the object's first member, without its closing quote.</summary>
    public void WriteStart(ref JsonWriter writer)
    {
        writer.Text.Write(Start);
        Timestamp.Write(ref writer.Text, writer.Event.UtcTicks, writer.Scratch.Timestamps);
    }

    public void WriteInsert(int insert, LogEvent logEvent, RecordBuffer output)
    {
        var writer = new JsonWriter(output, logEvent, logEvent.Scratch);
        if (insert == ScopesInsert)
        {
            WriteScopes(ref writer);
        }
        else
        {
            WriteMiddle(ref writer);
            WriteTail(ref writer);
        }

        writer.End();
    }

    /// <summary>Writes everything between the timestamp and the message, quotes included. Depends on level, event id, category and template only.</summary>
    public abstract void WriteHead(ref JsonWriter writer);

    /// <summary>Writes everything between message and exception.</summary>
    public abstract void WriteMiddle(ref JsonWriter writer);

    /// <summary>Writes everything between the exception and <see cref="WriteSource"/>.</summary>
    public abstract void WriteTail(ref JsonWriter writer);

    /// <summary>Writes the members before the properties. Depends on the same as <see cref="WriteHead"/>.</summary>
    public abstract void WriteSource(ref JsonWriter writer);

    /// <summary>Writes the scopes.</summary>
    public abstract void WriteScopes(ref JsonWriter writer);

    /// <summary>Returns true if the key of a property is the same whatever else is in the record.</summary>
    public abstract bool IsFixedKey(string name);

    /// <summary>Writes the properties of the event, those of the layout, and the template if the layout has it here.</summary>
    public void WriteProperties(ref JsonWriter writer)
    {
        var properties = writer.Event.Properties;
        Span<bool> isLast = properties.Length <= StackMembers ? stackalloc bool[properties.Length] : new bool[properties.Length];
        PropertyNames.MarkLast(properties, isLast);
        // In front if the record is truncated: what groups records is not left out.
        var isFirst = !writer.IsTruncating || !WriteTemplate(ref writer, Opening);
        for (var i = 0; i < properties.Length; i++)
        {
            if (!isLast[i])
                continue;
            WriteMember(ref writer, isFirst ? Opening : ","u8, properties[i], Closer);
            isFirst = false;
        }
        WriteAfterProperties(ref writer, isFirst);
    }

    /// <summary>Writes everything after the event's own properties: those of the layout and the template, if the layout has it here.</summary>
    public void WriteAfterProperties(ref JsonWriter writer, bool isFirst)
    {
        isFirst = WriteConstants(ref writer, isFirst);
        isFirst &= writer.IsTruncating || !WriteTemplate(ref writer, isFirst ? Opening : ","u8);
        if (!isFirst)
            WriteClose(ref writer);
    }

    /// <summary>Writes the properties of the layout.</summary>
    /// <returns>True if nothing was written, and nothing before.</returns>
    public bool WriteConstants(ref JsonWriter writer, bool isFirst)
    {
        foreach (ref readonly var constant in _constants.AsSpan())
        {
            if (PropertyNames.FindLast(writer.Event.Properties, constant.Name) >= 0 || IsTaken(constant.Name, writer.Event))
                continue;
            WriteMember(ref writer, isFirst ? Opening : ","u8, constant, Closer);
            isFirst = false;
        }
        return isFirst;
    }

    /// <summary>Ends the list of the properties.</summary>
    public void WriteClose(ref JsonWriter writer)
    {
        if (Closer != 0)
            writer.Text.Write(Closer);
    }

    /// <summary>Writes the key of one of the event's properties with its separators.</summary>
    public void WriteKey(ref JsonWriter writer, bool isFirst, string name)
    {
        writer.Text.Write(isFirst ? Opening : ","u8);
        WriteKey(ref writer, name);
    }

    /// <summary>Writes the key of a property and the colon.</summary>
    protected abstract void WriteKey(ref JsonWriter writer, string name);

    /// <summary>Writes the template as one of the properties, if the layout has it there; returns whether it did.</summary>
    protected abstract bool WriteTemplate(ref JsonWriter writer, scoped ReadOnlySpan<byte> separator);

    /// <summary>Returns true if a name among the properties is the layout's own in this record.</summary>
    protected abstract bool IsTaken(string name, LogEvent logEvent);

    /// <summary>Writes a property that a truncated record keeps or leaves out as a whole.</summary>
    protected void WriteMember(ref JsonWriter writer, scoped ReadOnlySpan<byte> separator, in LogProperty property, byte closer)
    {
        writer.Text.Write(separator);
        WriteKey(ref writer, property.Name);
        writer.BeginValue();
        JsonText.Write(ref writer.Text, property.ValueRef, writer.Scratch);
        writer.EndMember(closer);
    }

    /// <summary>Writes a property with its separator.</summary>
    protected void WritePair(ref JsonWriter writer, scoped ReadOnlySpan<byte> separator, in LogProperty property)
    {
        writer.Text.Write(separator);
        WriteKey(ref writer, property.Name);
        JsonText.Write(ref writer.Text, property.ValueRef, writer.Scratch);
    }

    /// <summary>Returns true if the layout has a constant property of the name.</summary>
    protected bool HasConstant(string name) => PropertyNames.FindLast(_constants, name) >= 0;

    protected static void WriteTrace(ref JsonWriter writer, scoped ReadOnlySpan<byte> traceKey, scoped ReadOnlySpan<byte> spanKey)
    {
        var logEvent = writer.Event;
        if (!logEvent.HasTrace)
            return;
        writer.Text.Write(traceKey);
        writer.Text.Write(logEvent.TraceId.ToHexString());
        writer.Text.Write(spanKey);
        writer.Text.Write(logEvent.SpanId.ToHexString());
        writer.Text.Write((byte)'"');
    }

    /// <summary>The number of scopes that are written.</summary>
    protected int CountScopes(LogEvent logEvent) => HasScopes ? logEvent.ScopeCount : 0;
}
