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

    /// <summary>A new instance is opened, then the old one is drained and closed.</summary>
    Rebuild,

    /// <summary>The new value is reported and applies at the next start.</summary>
    NextStart,
}
