namespace AsyncLog;

/// <summary>How records are told apart on a stream (RFC 6587).</summary>
public enum SyslogFraming
{
    /// <summary>The length in bytes and a space before each record (§3.4.1).</summary>
    OctetCounting,

    /// <summary>A line feed behind each record (§3.4.2); not with TLS.</summary>
    LineFeed,
}
