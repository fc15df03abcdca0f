namespace AsyncLog;

/// <summary>How requests are compressed.</summary>
public enum OtlpCompression
{
    /// <summary>Not at all.</summary>
    None,

    /// <summary>With gzip.</summary>
    Gzip,
}
