namespace AsyncLog;

/// <summary>The forms of a syslog record.</summary>
internal enum SyslogForm
{
    /// <summary>RFC 5424.</summary>
    Rfc5424,

    /// <summary>RFC 3164: BSD syslog with a host name.</summary>
    Rfc3164,

    /// <summary>What the C library writes to a local socket: BSD syslog without a host name.</summary>
    Local,
}
