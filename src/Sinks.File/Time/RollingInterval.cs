namespace AsyncLog;

/// <summary>Interval after which a log file is finished and a new one begins, in the zone of the instance.</summary>
public enum RollingInterval
{
    /// <summary>By size only.</summary>
    None,

    /// <summary>On the first of January.</summary>
    Year,

    /// <summary>On the first of the month.</summary>
    Month,

    /// <summary>On Monday (ISO weeks).</summary>
    Week,

    /// <summary>At midnight.</summary>
    Day,

    /// <summary>On the hour; a repeated hour gets its own file.</summary>
    Hour,

    /// <summary>On the minute.</summary>
    Minute,
}
