namespace AsyncLog;

/// <summary>Writes the element with properties: those of the state, constants, then those of scopes from outer to inner.</summary>
/// <param name="constants">Properties that every record carries.</param>
/// <param name="values">Writes values.</param>
/// <param name="opening">The element up to its first parameter.</param>
/// <param name="withScopes">Whether scopes are written.</param>
internal sealed class PropertyParameters(ConstantProperties constants, ParameterValues values, byte[] opening, bool withScopes)
{
    // What the host's activity tracking adds to scopes; the ids stand in an element of their own.
    private static readonly string[] ActivityKeys = ["TraceId", "SpanId", "ParentId"];

    /// <summary>Writes the element; nothing without properties.</summary>
    public void Write(ref WireWriter writer, LogEvent logEvent, SyslogScratch scratch)
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
            WriteState(ref writer, state, logEvent, scratch);
        else
            WriteSelected(ref writer, logEvent, scopes, scratch);
        if (scratch.Parameters.Count == before)
            writer.Position = start;
        else
            writer.Write((byte)']');
    }

    private void WriteState(ref WireWriter writer, ReadOnlySpan<LogProperty> state, LogEvent logEvent, SyslogScratch scratch)
    {
        var hasChangedNames = false;
        for (var i = 0; i < state.Length; i++)
        {
            if (PropertySelection.IsLast(state, i))
                WriteProperty(ref writer, state[i], ref hasChangedNames, logEvent, scratch);
        }
    }

    private void WriteSelected(ref WireWriter writer, LogEvent logEvent, int scopes, SyslogScratch scratch)
    {
        var selection = scratch.Selection;
        Select(selection, logEvent, scopes);
        var hasChangedNames = false;
        var index = 0;
        foreach (ref readonly var property in logEvent.Properties)
        {
            if (selection.IsWanted(index++))
                WriteProperty(ref writer, property, ref hasChangedNames, logEvent, scratch);
        }

        foreach (ref readonly var constant in constants.Items)
        {
            if (selection.IsWanted(index++))
                WriteProperty(ref writer, new LogProperty(constant.Key, LogValue.FromObject(constant.Value)), ref hasChangedNames, logEvent, scratch);
        }

        for (var i = 0; i < scopes; i++)
        {
            foreach (ref readonly var property in logEvent.GetScope(i).Properties)
            {
                if (selection.IsWanted(index++))
                    WriteProperty(ref writer, property, ref hasChangedNames, logEvent, scratch);
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

    private void WriteProperty(ref WireWriter writer, in LogProperty property, ref bool hasChangedNames, LogEvent logEvent, SyslogScratch scratch)
    {
        var start = writer.Position;
        writer.Write((byte)' ');
        hasChangedNames |= ParameterNames.Write(ref writer, property.Name);
        // Keys differ; so do their names, as long as none was changed.
        if (hasChangedNames)
            ParameterNames.MakeUnique(ref writer, start + 1, scratch.Parameters.Items, SdElement.Property);
        var nameLength = writer.Position - start - 1;
        writer.Write("=\""u8);
        var isCut = values.Write(ref writer, property.Value, logEvent, scratch);
        writer.Write((byte)'"');
        scratch.Parameters.Add(new Parameter(SdElement.Property, start, writer.Position - start, nameLength, isCut));
    }
}
