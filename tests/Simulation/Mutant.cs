namespace AsyncLog.Simulation;

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

    // The transport.
    ArrivalTwice,
    ArrivalLost,
    ArrivalsSwapped,
    TransportThatNeverRecovers,

    // What the books say, and what callers are told.
    InFlightForgotten,
    ReasonForgotten,
    LevelForgotten,
    FlushAnsweredAtOnce,
    NoticeForgotten,
    UnexpectedException,
}
