using System.Buffers;
using System.Globalization;
using System.Text;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Everything before the structured data (RFC 5424 §6.2), or before the text of the older forms. All but time and MSGID is rendered once.</summary>
internal sealed class SyslogHeader
{
    private const int LongestPri = 5;
    private const int LongestTimestamp = 32;
    private const int BsdTimestampLength = 15;
    private const int PriPerFacility = 8;

    private readonly SyslogForm _form;
    private readonly SyslogMsgId _msgId;
    private readonly SyslogTimestamp _timestamp;
    private readonly byte[][] _beginnings;
    private readonly byte[] _origin;

    /// <param name="local">The clock whose time zone is used; null for UTC.</param>
    public SyslogHeader(SyslogLayout layout, TimeProvider? local)
    {
        _form = layout.Form;
        _msgId = layout.MsgId;
        _timestamp = new SyslogTimestamp(layout.Form, local);
        _beginnings = [.. Enumerable.Range((int)LogLevel.Trace, LogLevel.None - LogLevel.Trace).Select(level => Encoding.ASCII.GetBytes(string.Create(
            CultureInfo.InvariantCulture,
            $"<{((int)layout.Facility * PriPerFacility) + layout.Severities[(LogLevel)level]}>{(layout.Form == SyslogForm.Rfc5424 ? "1 " : "")}")))];
        _origin = Encoding.ASCII.GetBytes(OriginOf(layout));
    }

    /// <summary>The longest header that options can lead to, MSGID at its longest.</summary>
    public static int LongestOf(AsyncSyslogLoggerOptions options)
    {
        var layout = SyslogLayout.From(options);
        return layout.Form == SyslogForm.Rfc5424
            ? LongestPri + "1 ".Length + LongestTimestamp + OriginOf(layout).Length + HeaderFields.LongestMsgId
            : LongestPri + BsdTimestampLength + OriginOf(layout).Length + 1;
    }

    /// <summary>Writes the header with the space after MSGID, or with the colon after the tag.</summary>
    /// <returns>True if the event has a name that MSGID does not hold whole.</returns>
    public bool Write(ref Utf8Writer writer, LogEvent logEvent)
    {
        writer.Write(_beginnings[Math.Min((int)logEvent.Level, (int)LogLevel.Critical)]);
        _timestamp.Write(ref writer, logEvent.Timestamp.UtcTicks, logEvent.Scratch.Timestamps);
        writer.Write(_origin);
        if (_form != SyslogForm.Rfc5424)
            return false;
        var isOther = WriteMsgId(ref writer, logEvent);
        writer.Write((byte)' ');
        return isOther;
    }

    /// <summary>Writes a header that needs nothing but the level.</summary>
    public void WriteBare(ref Utf8Writer writer, LogLevel level)
    {
        writer.Write(_beginnings[Math.Min((int)level, (int)LogLevel.Critical)]);
        writer.Write(_form == SyslogForm.Rfc5424 ? "-"u8 : "Jan  1 00:00:00"u8);
        writer.Write(_origin);
        if (_form == SyslogForm.Rfc5424)
            writer.Write("- "u8);
    }

    private static string OriginOf(SyslogLayout layout)
    {
        var host = HeaderFields.HostName(layout.HostName);
        if (layout.Form == SyslogForm.Rfc5424)
        {
            var name = HeaderFields.Field(layout.AppName, HeaderFields.LongestAppName);
            return $" {host} {name} {layout.ProcId} ";
        }

        return $"{(layout.Form == SyslogForm.Rfc3164 ? $" {host}" : "")} {HeaderFields.Tag(layout.AppName)}[{layout.ProcId}]:";
    }

    private bool WriteMsgId(ref Utf8Writer writer, LogEvent logEvent)
    {
        var id = logEvent.EventId;
        var hasName = !string.IsNullOrEmpty(id.Name);
        switch (_msgId)
        {
            case SyslogMsgId.EventName when hasName:
                return WriteField(ref writer, id.Name!);
            case SyslogMsgId.Category when logEvent.Category.Length > 0:
                WriteField(ref writer, logEvent.Category);
                return hasName;
            case SyslogMsgId.EventName or SyslogMsgId.EventId when id.Id != 0:
                writer.WriteNumber(id.Id);
                return hasName;
            default:
                writer.Write((byte)'-');
                return hasName;
        }
    }

    // Writes MSGID; returns whether the text had to be changed.
    private static bool WriteField(ref Utf8Writer writer, string text)
    {
        var span = writer.GetSpan(HeaderFields.LongestMsgId);
        if (text.Length <= HeaderFields.LongestMsgId && !text.AsSpan().ContainsAnyExceptInRange('!', '~')
            && Ascii.FromUtf16(text, span, out var written) == OperationStatus.Done)
        {
            writer.Advance(written);
            return false;
        }

        var length = 0;
        foreach (var rune in text.EnumerateRunes())
        {
            if (length == HeaderFields.LongestMsgId)
                break;
            span[length++] = rune.Value is >= '!' and <= '~' ? (byte)rune.Value : (byte)'_';
        }

        writer.Advance(length);
        return true;
    }
}

/// <summary>The time of a record: RFC 5424 §6.2.3, or the BSD form without year and fraction.</summary>
/// <param name="local">The clock whose time zone is used; null for UTC.</param>
internal sealed class SyslogTimestamp(SyslogForm form, TimeProvider? local)
{
    private const int BsdDayAt = 4;

    private readonly TimestampFormat _format = new(
        form == SyslogForm.Rfc5424 ? "yyyy-MM-dd'T'HH:mm:ss.ffffff" + (local is null ? "'Z'" : "zzz") : "MMM dd HH:mm:ss", local, EscapeStyle.Text);

    /// <summary>Writes the time; nil when it is not known.</summary>
    public void Write(ref Utf8Writer writer, long utcTicks, TimestampCache cache)
    {
        if (utcTicks == 0 && form == SyslogForm.Rfc5424)
        {
            writer.Write((byte)'-');
            return;
        }

        var start = writer.Position;
        _format.Write(ref writer, utcTicks, cache);
        if (form == SyslogForm.Rfc5424)
            return;
        // A day of one digit is padded with a space.
        ref var day = ref writer.Since(start)[BsdDayAt];
        if (day == (byte)'0')
            day = (byte)' ';
    }
}

/// <summary>Makes texts fit for header fields and names, which are printable ASCII without spaces. Pure.</summary>
internal static class HeaderFields
{
    public const int LongestHostName = 255;
    public const int LongestAppName = 48;
    public const int LongestMsgId = 32;
    public const int LongestTag = 32;

    /// <summary>A field (RFC 5424 §6.2): each other character becomes one <c>_</c>; an empty text becomes nil.</summary>
    public static string Field(string text, int longest) => Clean(text, longest, static c => c is >= '!' and <= '~') is { Length: > 0 } field ? field : "-";

    /// <summary>HOSTNAME: labels beyond ASCII in their IDNA form.</summary>
    public static string HostName(string name)
    {
        name = name.Length > 2 && name[0] == '[' && name[^1] == ']' ? name[1..^1] : name;
        return Field(Ascii.IsValid(name) ? name : string.Join('.', name.Split('.').Select(ToAscii)), LongestHostName);
    }

    /// <summary>The tag of the older forms.</summary>
    public static string Tag(string appName) =>
        Clean(appName, LongestTag, static c => char.IsAsciiLetterOrDigit(c) || c is '.' or '_' or '-') is { Length: > 0 } tag ? tag : "-";

    private static string Clean(string text, int longest, Func<char, bool> isAllowed)
    {
        var clean = new StringBuilder();
        foreach (var rune in text.EnumerateRunes())
        {
            if (clean.Length == longest)
                break;
            clean.Append(rune.IsAscii && isAllowed((char)rune.Value) ? (char)rune.Value : '_');
        }

        return clean.ToString();
    }

    private static string ToAscii(string label)
    {
        if (Ascii.IsValid(label))
            return label;
        try
        {
            return new IdnMapping().GetAscii(label);
        }
        catch (ArgumentException)
        {
            // No valid label in any script: it is cleaned instead.
            return label;
        }
    }
}
