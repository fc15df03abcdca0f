using System.Text;

namespace AsyncLog;

/// <summary>The parts of a record in the Compact Log Event Format of Serilog and Seq.</summary>
internal sealed class ClefLayout(RecordLayout layout)
    : JsonRecordLayout(layout, new TimestampFormat("yyyy-MM-dd'T'HH:mm:ss.fffffff'Z'", local: null, EscapeStyle.Json))
{
    private const string ScopeName = "Scope";
    private const string TruncatedName = "Truncated";

    private static readonly byte[][] Levels = [.. new[] { "Verbose", "Debug", "", "Warning", "Error", "Fatal", "None" }.Select(Encoding.UTF8.GetBytes)];

    public override ReadOnlySpan<byte> ExceptionKey => ",\"@x\":"u8;

    public override bool MergesScopes => true;

    public override string? TemplateName => null;

    protected override ReadOnlySpan<byte> Start => "{\"@t\":\""u8;

    protected override ReadOnlySpan<byte> Opening => ","u8;

    protected override byte Closer => 0;

    public override void WriteHead(ref JsonWriter writer)
    {
        var logEvent = writer.Event;
        writer.Text.Write((byte)'"');
        if (logEvent.Level != Microsoft.Extensions.Logging.LogLevel.Information)
        {
            writer.Text.Write(",\"@l\":\""u8);
            LevelNames.Write(ref writer.Text, logEvent.Level, Levels);
            writer.Text.Write((byte)'"');
        }
        if (logEvent.HasTemplateArguments && logEvent.MessageTemplate is { } template)
        {
            writer.Text.Write(",\"@mt\":"u8);
            writer.WriteName(template);
        }
        writer.Text.Write(",\"@m\":\""u8);
    }

    // Not the event id as "@i": Seq reads that as the type of the event, and the first event of each category would be of one type. Without it Seq takes the template.
    public override void WriteMiddle(ref JsonWriter writer)
    {
    }

    public override void WriteTail(ref JsonWriter writer)
        => WriteTrace(ref writer, ",\"@tr\":\""u8, "\",\"@sp\":\""u8);

    public override void WriteSource(ref JsonWriter writer)
    {
        writer.Text.Write(",\"SourceContext\":"u8);
        writer.WriteName(writer.Event.Category);
        var id = writer.Event.EventId;
        var isNamed = id.Name is { Length: > 0 };
        if (id.Id == 0 && !isNamed)
            return;
        // As Serilog.Extensions.Logging writes it: what is not set is left out.
        writer.Text.Write(",\"EventId\":{"u8);
        if (id.Id != 0)
        {
            writer.Text.Write("\"Id\":"u8);
            writer.Text.WriteNumber(id.Id);
        }

        if (isNamed)
        {
            writer.Text.Write(id.Id != 0 ? ",\"Name\":"u8 : "\"Name\":"u8);
            writer.WriteName(id.Name!);
        }

        writer.Text.Write((byte)'}');
    }

    public override void WriteScopes(ref JsonWriter writer)
    {
        var logEvent = writer.Event;
        var count = CountScopes(logEvent);
        for (var i = count - 1; i >= 0; i--)
            WriteScope(ref writer, i, count);
        var isFirst = true;
        for (var i = 0; i < count; i++)
        {
            var scope = logEvent.GetScope(i);
            if (!HasText(scope))
                continue;
            writer.Text.Write(isFirst ? ",\"Scope\":["u8 : ","u8);
            isFirst = false;
            writer.BeginValue();
            JsonText.WriteString(ref writer.Text, scope.Text, EscapeStyle.Json);
            writer.EndMember((byte)']');
        }
        if (!isFirst)
            writer.Text.Write((byte)']');
    }

    public override bool IsFixedKey(string name) => !IsOurs(name, ScopeName) && !IsOurs(name, TruncatedName);

    protected override void WriteKey(ref JsonWriter writer, string name)
    {
        writer.Text.Write((byte)'"');
        if (name.StartsWith('@'))
            writer.Text.Write((byte)'@');
        else if (IsReserved(ref writer, name))
            writer.Text.Write((byte)'_');
        Escaping.Write(ref writer.Text, writer.Scratch.Bounded(name), EscapeStyle.Json);
        writer.Text.Write("\":"u8);
    }

    protected override bool IsTaken(string name, LogEvent logEvent) => false;

    protected override bool WriteTemplate(ref JsonWriter writer, scoped ReadOnlySpan<byte> separator) => false;

    private void WriteScope(ref JsonWriter writer, int index, int count)
    {
        var logEvent = writer.Event;
        var properties = logEvent.GetScope(index).Properties;
        Span<bool> isLast = properties.Length <= StackMembers ? stackalloc bool[properties.Length] : new bool[properties.Length];
        PropertyNames.MarkLast(properties, isLast);
        for (var i = 0; i < properties.Length; i++)
        {
            if (isLast[i] && !IsPresent(properties[i].Name, logEvent, index, count))
                WriteMember(ref writer, ","u8, properties[i], 0);
        }
    }

    /// <summary>Returns true if the state, the layout or a scope inside scope <paramref name="index"/> has a property of the name.</summary>
    private bool IsPresent(string name, LogEvent logEvent, int index, int count)
    {
        if (PropertyNames.FindLast(logEvent.Properties, name) >= 0 || HasConstant(name))
            return true;
        for (var inner = index + 1; inner < count; inner++)
        {
            if (PropertyNames.FindLast(logEvent.GetScope(inner).Properties, name) >= 0)
                return true;
        }
        return false;
    }

    /// <summary>Returns true if a name is one of the layout's, with any number of <c>_</c> before it: each gets one more, so that no two become equal.</summary>
    private bool IsReserved(ref JsonWriter writer, string name)
        => IsOurs(name, "SourceContext") || IsOurs(name, "EventId")
            || (IsOurs(name, TruncatedName) && writer.IsTruncating)
            || (IsOurs(name, ScopeName) && HasTextScope(writer.Event));

    private static bool IsOurs(string name, string ours)
        => name.EndsWith(ours, StringComparison.Ordinal) && name.AsSpan(0, name.Length - ours.Length).IndexOfAnyExcept('_') < 0;

    private bool HasTextScope(LogEvent logEvent)
    {
        for (var i = CountScopes(logEvent) - 1; i >= 0; i--)
        {
            if (HasText(logEvent.GetScope(i)))
                return true;
        }
        return false;
    }

    // As Serilog: the text of a template too, beside its properties.
    private static bool HasText(LogScope scope) => !scope.HasProperties || (scope.MessageTemplate is not null && !scope.IsTypeName);
}
