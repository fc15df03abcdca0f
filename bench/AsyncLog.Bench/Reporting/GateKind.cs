namespace AsyncLog.Bench;

/// <summary>How two figures are compared.</summary>
internal enum GateKind
{
    /// <summary>Ours divided by theirs.</summary>
    Ratio,

    /// <summary>Ours minus theirs, in the unit of the table.</summary>
    Difference,

    /// <summary>Ours alone, in the unit of the table.</summary>
    Value,
}
