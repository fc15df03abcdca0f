namespace AsyncLog;

/// <summary>The elements of structured data in the order in which they stand; the numbering element is the worker's and comes after <see cref="Origin"/>.</summary>
internal enum SdElement : byte
{
    /// <summary><c>timeQuality</c>.</summary>
    TimeQuality,

    /// <summary><c>origin</c>.</summary>
    Origin,

    /// <summary><c>opentelemetry</c>.</summary>
    Trace,

    /// <summary>The library's own fields.</summary>
    Library,

    /// <summary>Properties and scopes.</summary>
    Property,
}
