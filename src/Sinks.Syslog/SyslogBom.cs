namespace AsyncLog;

/// <summary>Whether a byte order mark stands before the message (RFC 5424 §6.4).</summary>
public enum SyslogBom
{
    /// <summary>Never: common receivers leave it in the text.</summary>
    Never,

    /// <summary>Before a message that is not pure ASCII, as the RFC asks.</summary>
    NonAscii,

    /// <summary>Before every message that is not empty.</summary>
    Always,
}
