using System.Buffers;
using System.Globalization;
using System.Text;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Everything before the structured data (RFC 5424 §6.2), or before the text of the older forms. All but time and MSGID is made once.</summary>
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
    public static int LongestOf(AsyncSyslogOptions options)
    {
        var layout = SyslogLayout.From(options);
        return layout.Form == SyslogForm.Rfc5424
            ? LongestPri + "1 ".Length + LongestTimestamp + OriginOf(layout).Length + HeaderText.LongestMsgId
            : LongestPri + BsdTimestampLength + OriginOf(layout).Length + 1;
    }

    /// <summary>Writes the header with the space behind MSGID, or with the colon behind the tag.</summary>
    /// <returns>Whether MSGID is not the event's whole name.</returns>
    public bool Write(ref WireWriter writer, LogEvent logEvent, SyslogScratch scratch)
    {
        writer.Write(_beginnings[Math.Min((int)logEvent.Level, (int)LogLevel.Critical)]);
        _timestamp.Write(ref writer, logEvent.Timestamp.UtcTicks, scratch.Second);
        writer.Write(_origin);
        if (_form != SyslogForm.Rfc5424)
            return false;
        var isOther = WriteMsgId(ref writer, logEvent);
        writer.Write((byte)' ');
        return isOther;
    }

    /// <summary>Writes a header that asks nobody for anything.</summary>
    public void WriteBare(ref WireWriter writer, LogLevel level)
    {
        writer.Write(_beginnings[Math.Min((int)level, (int)LogLevel.Critical)]);
        writer.Write(_form == SyslogForm.Rfc5424 ? "-"u8 : "Jan  1 00:00:00"u8);
        writer.Write(_origin);
        if (_form == SyslogForm.Rfc5424)
            writer.Write("- "u8);
    }

    private static string OriginOf(SyslogLayout layout)
    {
        var host = HeaderText.HostName(layout.HostName);
        if (layout.Form == SyslogForm.Rfc5424)
        {
            var name = HeaderText.Field(layout.AppName, HeaderText.LongestAppName);
            return $" {host} {name} {HeaderText.Field(layout.ProcId, HeaderText.LongestProcId)} ";
        }

        var process = layout.ProcId.Length == 0 ? "" : $"[{HeaderText.Field(layout.ProcId, HeaderText.LongestProcId)}]";
        return $"{(layout.Form == SyslogForm.Rfc3164 ? $" {host}" : "")} {HeaderText.Tag(layout.AppName)}{process}:";
    }

    private bool WriteMsgId(ref WireWriter writer, LogEvent logEvent)
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
                writer.WriteValue(id.Id);
                return hasName;
            default:
                writer.Write((byte)'-');
                return hasName;
        }
    }

    /// <summary>Writes MSGID; true when the text had to be changed.</summary>
    private static bool WriteField(ref WireWriter writer, string text)
    {
        var span = writer.GetSpan(HeaderText.LongestMsgId);
        if (text.Length <= HeaderText.LongestMsgId && !text.AsSpan().ContainsAnyExceptInRange('!', '~')
            && Ascii.FromUtf16(text, span, out var written) == OperationStatus.Done)
        {
            writer.Advance(written);
            return false;
        }

        var length = 0;
        foreach (var rune in text.EnumerateRunes())
        {
            if (length == HeaderText.LongestMsgId)
                break;
            span[length++] = rune.Value is >= '!' and <= '~' ? (byte)rune.Value : (byte)'_';
        }

        writer.Advance(length);
        return true;
    }
}
