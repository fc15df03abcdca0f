namespace AsyncLog;

/// <summary>The line end of a log file.</summary>
public enum FileNewLine
{
    /// <summary>Line feed.</summary>
    Lf,

    /// <summary>Carriage return and line feed.</summary>
    CrLf,

    /// <summary>That of the operating system.</summary>
    Auto,
}
