using System.Diagnostics.CodeAnalysis;

namespace AsyncLog;

/// <summary>Effect of a changed option on a running instance.</summary>
[Experimental("ASYNCLOG001")]
public enum OptionReload
{
    /// <summary>The next batch or record sees the new value.</summary>
    Live,

    /// <summary>The new value takes effect at a record boundary, in a new file: one layout per file.</summary>
    LiveNewFile,

    /// <summary>An option of the sink: a new sink is opened, then the old one is drained and closed. A common option: a new queue before the same sink.</summary>
    Rebuild,

    /// <summary>The new value is reported and applies at the next start.</summary>
    NextStart,
}
