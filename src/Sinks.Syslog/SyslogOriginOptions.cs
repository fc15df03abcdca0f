namespace AsyncLog;

/// <summary>The element <c>origin</c> (RFC 5424 §7.2): who made the record. Left out while nothing is set.</summary>
public sealed class SyslogOriginOptions
{
    /// <summary>The sender's IP address.</summary>
    /// <value>Default null.</value>
    public string? Ip { get; set; }

    /// <summary>The private enterprise number of the software's maker: digits, or groups of digits joined by dots.</summary>
    /// <value>Default null.</value>
    public string? EnterpriseId { get; set; }

    /// <summary>The software's name.</summary>
    /// <value>Default null; at most 48 characters.</value>
    public string? Software { get; set; }

    /// <summary>The software's version.</summary>
    /// <value>Default null; at most 32 characters.</value>
    public string? SwVersion { get; set; }
}
