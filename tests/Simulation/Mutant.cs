namespace AsyncLog.Tests;

/// <summary>A fault of the doubles, made on purpose: a checker that does not see it proves nothing.</summary>
internal enum Mutant
{
    None,

    // The disk.
    LineTwice,
    LineLost,
    LinesSwapped,
    LineTorn,
    ShortWriteReportedWhole,
    EndOfLineAlwaysSeen,
    RenameThatEmpties,
    SyncWithoutEffect,
    DirectorySyncWithoutEffect,
    TroubleThatNeverEnds,
    ArchiveDeleted,

    // The settings file.
    SettingsHalfTaken,

    // The transport.
    ArrivalTwice,
    ArrivalLost,
    ArrivalsSwapped,
    TransportThatNeverRecovers,

    // The spool's files.
    SpoolRenameDropped,
    SpoolFileComesBack,
    SpoolUnlinkBeforeSettle,
    SpoolFilesSwapped,
    SpoolChecksumIgnored,
    SpoolWriteLosesLast,
    SpoolSyncForgotten,
    SpoolOutageForgotten,

    // The crash buffer.
    CrashReplayedTwice,
    CrashFileUnread,
    CrashBufferLost,

    // What the counters say, and what callers are told.
    InFlightForgotten,
    SpooledForgotten,
    ReasonForgotten,
    LevelForgotten,
    RecordVanished,
    FlushAnsweredAtOnce,
    NoticeForgotten,
    SilenceUnnoticed,
    UnexpectedException,
}
