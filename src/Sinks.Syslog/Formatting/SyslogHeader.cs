namespace AsyncLog;

/// <summary>The sizes of the fixed part of a record.</summary>
internal static class SyslogHeader
{
    private const int LongestPri = 5;
    private const int LongestTimestamp = 32;
    private const int BsdTimestamp = 15;

    /// <summary>The longest header that options can lead to, MSGID at its longest.</summary>
    public static int LongestOf(AsyncSyslogOptions options)
    {
        var host = HeaderText.HostName(options.HostName ?? "").Length;
        var process = options.ProcId is { Length: > 0 } id ? HeaderText.Field(id, HeaderText.LongestProcId).Length : 0;
        return SyslogLayout.FormOf(options) switch
        {
            SyslogForm.Rfc5424 => LongestPri + "1 ".Length + LongestTimestamp + 1 + host + 1
                + HeaderText.Field(options.AppName ?? "", HeaderText.LongestAppName).Length + 1 + Math.Max(process, 1) + 1 + HeaderText.LongestMsgId,
            SyslogForm.Rfc3164 => host + 1 + BsdLength(options, process),
            _ => BsdLength(options, process),
        };
    }

    private static int BsdLength(AsyncSyslogOptions options, int process) =>
        LongestPri + BsdTimestamp + 1 + HeaderText.Tag(options.AppName ?? "").Length + (process > 0 ? process + "[]".Length : 0) + ": ".Length;
}
