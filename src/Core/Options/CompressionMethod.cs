namespace AsyncLog;

/// <summary>How a sink compresses what it writes.</summary>
public enum CompressionMethod
{
    /// <summary>No compression.</summary>
    None,

    /// <summary>Compression with gzip (RFC 1952).</summary>
    Gzip,
}
