namespace AsyncLog;

/// <summary>How the values of a <see cref="SinkInstrument"/> behave, in the words of <see cref="System.Diagnostics.Metrics"/>.</summary>
public enum SinkInstrumentKind
{
    /// <summary>Only rises, for the life of the process.</summary>
    Counter,

    /// <summary>Rises and falls; values of several instances may be added up.</summary>
    UpDownCounter,

    /// <summary>Rises and falls; adding up several instances makes no sense.</summary>
    Gauge,
}
