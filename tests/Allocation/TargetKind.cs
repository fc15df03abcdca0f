namespace AsyncLog.Tests;

/// <summary>Where the records of a path go.</summary>
internal enum TargetKind
{
    /// <summary>A file, text.</summary>
    Text,

    /// <summary>A file, text with scopes and trace id.</summary>
    TextWithScopes,

    /// <summary>A file, text; each call waits until its record is written.</summary>
    Acknowledged,

    /// <summary>A file, JSON.</summary>
    Json,

    /// <summary>A file, CLEF with a constant property.</summary>
    Clef,

    /// <summary>Syslog over UDP.</summary>
    Syslog,

    /// <summary>Syslog over TCP.</summary>
    SyslogStream,

    /// <summary>An OpenTelemetry collector over HTTP/protobuf.</summary>
    Otlp,

    /// <summary>A full queue whose sink hangs.</summary>
    Blocked,

    /// <summary>A provider that does nothing: what MEL itself costs.</summary>
    Nothing,

    /// <summary>A provider that asks for the message and throws it away: what the caller's formatter costs.</summary>
    Formatted,
}
