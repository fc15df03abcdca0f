using Microsoft.Extensions.Logging;

namespace AsyncLog.Bench;

/// <summary>One library in one configuration, behind MEL.</summary>
internal interface ILibrary : IDisposable
{
    /// <summary>The logger that is measured.</summary>
    ILogger Logger { get; }

    /// <summary>Calls that fit its queue with room to spare, even if nobody took anything out.</summary>
    int Room { get; }

    /// <summary>The files that hold the lines after dispose; empty for a library that writes nothing.</summary>
    IReadOnlyList<string> Files { get; }

    /// <summary>Returns when what was logged is out of the queue.</summary>
    void Drain();
}
