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

    protected override ReadOnlySpan<byte> Start => "{\"@t\":\""u8;

    protected override ReadOnlySpan<byte> Opening => ","u8;

    protected override byte Closer => 0;

    public override void WriteHead(ref Utf8Writer writer, LogEvent logEvent, int most, FormatScratch scratch)
    {
        writer.Write((byte)'"');
        if (logEvent.Level != Microsoft.Extensions.Logging.LogLevel.Information)
        {
            writer.Write(",\"@l\":\""u8);
            LevelNames.Write(ref writer, logEvent.Level, Levels);
            writer.Write((byte)'"');
        }
        if (logEvent.HasTemplateArguments && logEvent.MessageTemplate is { } template)
        {
            writer.Write(",\"@mt\":"u8);
            WriteName(ref writer, template, most, scratch);
        }
        writer.Write(",\"@m\":\""u8);
    }

    public override void WriteMiddle(ref Utf8Writer writer, LogEvent logEvent)
    {
        if (logEvent.EventId.Id == 0)
            return;
        writer.Write(",\"@i\":"u8);
        writer.WriteValue(logEvent.EventId.Id);
    }

    public override void WriteTail(ref Utf8Writer writer, LogEvent logEvent)
        => WriteTrace(ref writer, logEvent, ",\"@tr\":\""u8, "\",\"@sp\":\""u8);

    public override void WriteSource(ref Utf8Writer writer, LogEvent logEvent, int most, FormatScratch scratch)
    {
        writer.Write(",\"SourceContext\":"u8);
        WriteName(ref writer, logEvent.Category, most, scratch);
        if (logEvent.EventId.Name is not { Length: > 0 } name)
            return;
        writer.Write(",\"EventName\":"u8);
        WriteName(ref writer, name, most, scratch);
    }

    public override void WriteScopes(ref Utf8Writer writer, LogEvent logEvent, FormatScratch scratch)
    {
        var count = CountScopes(logEvent);
        for (var i = count - 1; i >= 0; i--)
            WriteScope(ref writer, logEvent, i, count, scratch);
        var isFirst = true;
        for (var i = 0; i < count; i++)
        {
            var scope = logEvent.GetScope(i);
            if (scope.HasProperties)
                continue;
            scratch.Marks?.Begin(writer.Position);
            writer.Write(isFirst ? ",\"Scope\":["u8 : ","u8);
            isFirst = false;
            scratch.Marks?.BeginValue(writer.Position);
            JsonText.WriteString(ref writer, scope.Text, EscapeStyle.Json);
            scratch.Marks?.End(writer.Position, (byte)']');
        }
        if (!isFirst)
            writer.Write((byte)']');
    }

    public override bool IsFixedKey(string name) => !IsOurs(name, ScopeName) && !IsOurs(name, TruncatedName);

    protected override void WriteKey(ref Utf8Writer writer, string name, LogEvent logEvent, FormatScratch scratch)
    {
        writer.Write((byte)'"');
        if (name.StartsWith('@'))
            writer.Write((byte)'@');
        else if (IsReserved(name, logEvent, scratch))
            writer.Write((byte)'_');
        Escaping.Write(ref writer, scratch.Bounded(name), EscapeStyle.Json);
        writer.Write("\":"u8);
    }

    protected override bool IsTaken(string name, LogEvent logEvent) => false;

    protected override bool WriteTemplate(ref Utf8Writer writer, LogEvent logEvent, scoped ReadOnlySpan<byte> separator, FormatScratch scratch) => false;

    private void WriteScope(ref Utf8Writer writer, LogEvent logEvent, int index, int count, FormatScratch scratch)
    {
        var properties = logEvent.GetScope(index).Properties;
        Span<bool> isLast = properties.Length <= StackMembers ? stackalloc bool[properties.Length] : new bool[properties.Length];
        PropertyNames.MarkLast(properties, isLast);
        for (var i = 0; i < properties.Length; i++)
        {
            if (isLast[i] && !IsPresent(properties[i].Name, logEvent, index, count))
                WriteMember(ref writer, ","u8, properties[i], 0, logEvent, scratch);
        }
    }

    /// <summary>Whether the state, the layout or a scope inside scope <paramref name="index"/> has a property of the name.</summary>
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

    /// <summary>Whether a name is one of ours, whatever number of <c>_</c> stands before it: each gets one more, so that no two become one.</summary>
    private bool IsReserved(string name, LogEvent logEvent, FormatScratch scratch)
        => IsOurs(name, "SourceContext") || IsOurs(name, "EventName")
            || (IsOurs(name, TruncatedName) && scratch.Marks is not null)
            || (IsOurs(name, ScopeName) && HasTextScope(logEvent));

    private static bool IsOurs(string name, string ours)
        => name.EndsWith(ours, StringComparison.Ordinal) && name.AsSpan(0, name.Length - ours.Length).IndexOfAnyExcept('_') < 0;

    private bool HasTextScope(LogEvent logEvent)
    {
        for (var i = CountScopes(logEvent) - 1; i >= 0; i--)
        {
            if (!logEvent.GetScope(i).HasProperties)
                return true;
        }
        return false;
    }
}
