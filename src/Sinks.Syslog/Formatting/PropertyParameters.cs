namespace AsyncLog;

/// <summary>Writes the element with properties: those of the state, constants, then those of scopes from outer to inner.</summary>
/// <param name="constants">Properties that every record carries.</param>
/// <param name="values">Writes values.</param>
/// <param name="opening">The element up to its first parameter.</param>
/// <param name="withScopes">Whether scopes are written.</param>
/// <param name="cut">Decides what a record that is too long keeps.</param>
/// <param name="budget">How many bytes such a record has for structured data.</param>
internal sealed class PropertyParameters(
    ConstantProperties constants, ParameterValues values, byte[] opening, bool withScopes, StructuredDataCut cut, DataBudget budget)
{
    // The space, the equals sign, the quotes, and one character of a name.
    private const int LeastLength = 5;

    // What the host's activity tracking adds to scopes; the ids stand in an element of their own.
    private static readonly string[] ActivityKeys = ["TraceId", "SpanId", "ParentId"];

    /// <summary>Writes the element; nothing without properties. Of a record that is longer than it may be only what a cut keeps is rendered.</summary>
    /// <param name="writer">The record.</param>
    /// <param name="logEvent">The event.</param>
    /// <param name="scratch">The thread's scratch.</param>
    /// <param name="data">Where structured data begins.</param>
    /// <param name="end">Where the record ends at the latest.</param>
    public void Write(ref WireWriter writer, LogEvent logEvent, SyslogScratch scratch, int data, int end)
    {
        var state = logEvent.Properties;
        var scopes = withScopes ? logEvent.ScopeCount : 0;
        var isStateOnly = scopes == 0 && constants.Items.IsEmpty && PropertySelection.IsShort(state.Length);
        if (isStateOnly && state.IsEmpty)
            return;
        var start = writer.Position;
        var before = scratch.Parameters.Count;
        writer.Write(opening);
        if (isStateOnly)
            WriteState(ref writer, state, logEvent, scratch, data, end);
        else
            WriteSelected(ref writer, logEvent, scopes, scratch, data, end);
        if (scratch.Parameters.Count == before)
            writer.Position = start;
        else
            writer.Write((byte)']');
    }

    private void WriteState(ref WireWriter writer, ReadOnlySpan<LogProperty> state, LogEvent logEvent, SyslogScratch scratch, int data, int end)
    {
        var hasChangedNames = false;
        for (var i = 0; i < state.Length; i++)
        {
            if (PropertySelection.IsLast(state, i))
                WriteProperty(ref writer, state[i], ref hasChangedNames, logEvent, scratch, data, end);
        }
    }

    private void WriteSelected(ref WireWriter writer, LogEvent logEvent, int scopes, SyslogScratch scratch, int data, int end)
    {
        var selection = scratch.Selection;
        Select(selection, logEvent, scopes);
        var hasChangedNames = false;
        var index = 0;
        foreach (ref readonly var property in logEvent.Properties)
        {
            if (selection.IsWanted(index++))
                WriteProperty(ref writer, property, ref hasChangedNames, logEvent, scratch, data, end);
        }

        foreach (ref readonly var constant in constants.Items)
        {
            if (selection.IsWanted(index++))
                WriteProperty(ref writer, new LogProperty(constant.Key, LogValue.FromObject(constant.Value)), ref hasChangedNames, logEvent, scratch, data, end);
        }

        for (var i = 0; i < scopes; i++)
        {
            foreach (ref readonly var property in logEvent.GetScope(i).Properties)
            {
                if (selection.IsWanted(index++))
                    WriteProperty(ref writer, property, ref hasChangedNames, logEvent, scratch, data, end);
            }
        }

        selection.Clear();
    }

    private void Select(PropertySelection selection, LogEvent logEvent, int scopes)
    {
        selection.Clear();
        selection.AddGroup();
        foreach (ref readonly var property in logEvent.Properties)
            selection.Add(property.Name);
        selection.AddGroup();
        foreach (ref readonly var constant in constants.Items)
            selection.Add(constant.Key);
        var hasTrace = scopes > 0 && logEvent.HasTrace;
        for (var i = 0; i < scopes; i++)
        {
            selection.AddGroup();
            foreach (ref readonly var property in logEvent.GetScope(i).Properties)
                selection.Add(hasTrace && ActivityKeys.AsSpan().Contains(property.Name) ? null : property.Name);
        }

        selection.Decide();
    }

    private void WriteProperty(
        ref WireWriter writer, in LogProperty property, ref bool hasChangedNames, LogEvent logEvent, SyslogScratch scratch, int data, int end)
    {
        if (scratch.Room is { } room && !cut.Fits(room, SdElement.Property, LeastLength))
        {
            // Nothing that follows is kept.
            scratch.Room = room with { Dropped = room.Dropped + 1 };
            return;
        }

        var start = writer.Position;
        writer.Write((byte)' ');
        var isChanged = ParameterNames.Write(ref writer, property.Name);
        if (isChanged && !hasChangedNames)
        {
            hasChangedNames = true;
            Remember(writer.Written, scratch);
        }

        // Keys differ; so do their names, as long as none was changed.
        if (hasChangedNames)
            scratch.Names.AddUnique(ref writer, start + 1);
        var nameLength = writer.Position - start - 1;
        writer.Write("=\""u8);
        var isCut = values.Write(ref writer, property.Value, logEvent, scratch);
        writer.Write((byte)'"');
        var parameter = new Parameter(SdElement.Property, start, writer.Position - start, nameLength, isCut);
        if (scratch.Room is not { } left)
        {
            scratch.Parameters.Add(parameter);
            if (writer.Position < end)
                return;
            // With the bracket that closes the element the record is too long, whatever follows.
            left = new DataRoom(budget(ref writer, data, end, logEvent, scratch));
            cut.Decide(scratch.Parameters.Items, ref left);
            if (!hasChangedNames)
                Remember(writer.Written, scratch);
            hasChangedNames = true;
        }
        else if (cut.TryKeep(ref left, SdElement.Property, parameter.Length))
        {
            scratch.Parameters.Add(parameter);
        }
        else
        {
            writer.Position = start;
        }

        scratch.Room = left;
    }

    private static void Remember(ReadOnlySpan<byte> record, SyslogScratch scratch)
    {
        scratch.Names.Clear();
        foreach (ref readonly var parameter in scratch.Parameters.Items)
        {
            if (parameter.Element == SdElement.Property)
                scratch.Names.Add(record.Slice(parameter.Start + 1, parameter.NameLength));
        }
    }
}

/// <summary>How many bytes a record that is too long has for structured data.</summary>
/// <param name="writer">The record so far; is left as it was.</param>
/// <param name="data">Where structured data begins.</param>
/// <param name="end">Where the record ends at the latest.</param>
/// <param name="logEvent">The event.</param>
/// <param name="scratch">The thread's scratch.</param>
internal delegate int DataBudget(ref WireWriter writer, int data, int end, LogEvent logEvent, SyslogScratch scratch);
