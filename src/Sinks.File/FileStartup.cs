namespace AsyncLog;

/// <summary>What becomes of an existing log file when the application starts.</summary>
public enum FileStartup
{
    /// <summary>It is appended to.</summary>
    Append,

    /// <summary>If it is not empty it is finished and a new one begun.</summary>
    Roll,

    /// <summary>It is replaced by an empty one.</summary>
    Truncate,
}
