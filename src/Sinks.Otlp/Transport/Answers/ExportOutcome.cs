namespace AsyncLog;

/// <summary>What an attempt to export led to.</summary>
internal enum ExportOutcome
{
    /// <summary>The server took the request, perhaps not every record of it.</summary>
    Accepted,

    /// <summary>Another attempt may help.</summary>
    Retry,

    /// <summary>A smaller request may help.</summary>
    TooLarge,

    /// <summary>Nothing will help.</summary>
    Refused,
}
