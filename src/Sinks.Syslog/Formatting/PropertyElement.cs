using System.Text;

namespace AsyncLog;

/// <summary>Writes the element with properties: those of the state, constants, then those of scopes from outer to inner. Of a record that is longer than it
/// may be only what truncation keeps is rendered.</summary>
internal sealed class PropertyElement(
    SyslogLayout layout, bool withScopes, ParameterWriter parameters, StructuredDataTruncation truncation, SyslogMessageWriter message)
{
    // The space, the equals sign, the quotes, and one character of a name.
    private const int MinLength = 5;

    // Keys that the host's activity tracking adds to scopes; the ids have an element of their own.
    private static readonly string[] ActivityKeys = ["TraceId", "SpanId", "ParentId"];

    private readonly byte[] _opening = Encoding.ASCII.GetBytes("[" + layout.PropertyId);

    /// <summary>Writes the element; nothing without properties.</summary>
    public void Write(ref Utf8Writer writer, LogEvent logEvent, SyslogScratch scratch, long data, long end)
    {
        var state = logEvent.Properties;
        var scopes = withScopes ? logEvent.ScopeCount : 0;
        var isStateOnly = scopes == 0 && layout.Properties.Count == 0 && PropertySelection.IsShort(state.Length);
        if (isStateOnly && state.IsEmpty)
            return;
        var start = writer.Position;
        var before = scratch.Parameters.Count;
        writer.Write(_opening);
        var run = new PropertyRun(data, end, logEvent, scratch);
        if (isStateOnly)
            WriteState(ref writer, state, ref run);
        else
            WriteSelected(ref writer, scopes, ref run);
        if (scratch.Parameters.Count == before)
            writer.Rewind(start);
        else
            writer.Write((byte)']');
    }

    private void WriteState(ref Utf8Writer writer, ReadOnlySpan<LogProperty> state, ref PropertyRun run)
    {
        for (var i = 0; i < state.Length; i++)
        {
            if (PropertySelection.IsLast(state, i))
                WriteProperty(ref writer, state[i], ref run);
        }
    }

    private void WriteSelected(ref Utf8Writer writer, int scopes, ref PropertyRun run)
    {
        var logEvent = run.LogEvent;
        var selection = run.Scratch.Selection;
        Select(selection, logEvent, scopes);
        var index = 0;
        foreach (ref readonly var property in logEvent.Properties)
        {
            if (selection.IsWanted(index++))
                WriteProperty(ref writer, property, ref run);
        }

        // Not foreach: the enumerator of an interface is an object.
        for (var i = 0; i < layout.Properties.Count; i++)
        {
            if (selection.IsWanted(index++))
                WriteProperty(ref writer, new LogProperty(layout.Properties[i].Key, LogValue.FromObject(layout.Properties[i].Value)), ref run);
        }

        for (var i = 0; i < scopes; i++)
        {
            foreach (ref readonly var property in logEvent.GetScope(i).Properties)
            {
                if (selection.IsWanted(index++))
                    WriteProperty(ref writer, property, ref run);
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
        for (var i = 0; i < layout.Properties.Count; i++)
            selection.Add(layout.Properties[i].Key);
        var hasTrace = scopes > 0 && logEvent.HasTrace;
        for (var i = 0; i < scopes; i++)
        {
            selection.AddGroup();
            foreach (ref readonly var property in logEvent.GetScope(i).Properties)
                selection.Add(hasTrace && ActivityKeys.AsSpan().Contains(property.Name) ? null : property.Name);
        }

        selection.Decide();
    }

    private void WriteProperty(ref Utf8Writer writer, in LogProperty property, ref PropertyRun run)
    {
        var scratch = run.Scratch;
        if (scratch.Budget is { } room && !truncation.Fits(room, SdElement.Property, MinLength))
        {
            // Nothing that follows is kept.
            scratch.Budget = room with { Dropped = room.Dropped + 1 };
            return;
        }

        var start = writer.Position;
        writer.Write((byte)' ');
        var isChanged = ParameterWriter.WriteName(ref writer, property.Name);
        if (isChanged)
            run.RememberNames(ref writer);
        // Keys differ; so do their names, as long as none was changed.
        if (run.HasChangedNames)
            scratch.Names.AddUnique(ref writer, start + 1);
        var nameLength = (int)(writer.Position - start) - 1;
        writer.Write("=\""u8);
        var isTruncated = parameters.WriteValue(ref writer, property.Value, run.LogEvent, scratch);
        var parameter = ParameterWriter.End(ref writer, SdElement.Property, start, nameLength, isTruncated);
        if (scratch.Budget is not { } left)
        {
            scratch.Parameters.Add(parameter);
            if (writer.Position < run.End)
                return;
            // With the bracket that closes the element the record is too long, whatever follows.
            left = new StructuredDataBudget(BudgetOf(ref writer, run));
            truncation.Decide(scratch.Parameters, ref left);
            run.RememberNames(ref writer);
        }
        else if (truncation.TryKeep(ref left, SdElement.Property, parameter.Length))
        {
            scratch.Parameters.Add(parameter);
        }
        else
        {
            writer.Rewind(start);
        }

        scratch.Budget = left;
    }

    private int BudgetOf(ref Utf8Writer writer, in PropertyRun run)
    {
        var text = message.Of(run.LogEvent, run.Scratch);
        return (int)(run.End - run.Data) - message.ShareOf(ref writer, text, message.BomOf(run.LogEvent, text));
    }

    /// <summary>The element of one record.</summary>
    private ref struct PropertyRun(long data, long end, LogEvent logEvent, SyslogScratch scratch)
    {
        public readonly long Data => data;

        public readonly long End => end;

        public readonly LogEvent LogEvent => logEvent;

        public readonly SyslogScratch Scratch => scratch;

        /// <summary>True if names may be equal: they are compared from now on.</summary>
        public bool HasChangedNames { get; private set; }

        /// <summary>Begins to compare names: those of the parameters so far are taken.</summary>
        public void RememberNames(ref Utf8Writer writer)
        {
            if (HasChangedNames)
                return;
            HasChangedNames = true;
            scratch.Names.Clear();
            ReadOnlySpan<byte> record = writer.Since(0);
            foreach (var parameter in scratch.Parameters)
            {
                if (parameter.Element == SdElement.Property)
                    scratch.Names.Add(record.Slice(parameter.Start + 1, parameter.NameLength));
            }
        }
    }
}
