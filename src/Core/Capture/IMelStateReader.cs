namespace AsyncLog;

/// <summary>How far a reader of MEL's own states got; for tests that must know which way was taken.</summary>
internal interface IMelStateReader
{
    /// <summary>Whether the text of MEL's formatter was seen to differ, so that it decides.</summary>
    bool IsRefuted { get; }

    /// <summary>Whether values are read without boxes.</summary>
    bool HasLayout { get; }
}
