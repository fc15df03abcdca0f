namespace AsyncLog;

/// <summary>Keys with a meaning in log states.</summary>
internal static class StateKeys
{
    /// <summary>The key of the message template.</summary>
    public const string OriginalFormat = "{OriginalFormat}";
}
