using Microsoft.Extensions.Logging;

namespace AsyncLog.Bench;

/// <summary>One library in one configuration, behind MEL.</summary>
internal interface ILibrary : IDisposable
{
    /// <summary>Calls that fit its queue with room to spare, even if nothing was taken out.</summary>
    int Room => int.MaxValue;

    /// <summary>The files that hold the lines after dispose; empty for a library that writes nothing.</summary>
    IReadOnlyList<string> Files => [];

    /// <summary>Registers the library's provider.</summary>
    void AddTo(ILoggingBuilder builder);

    /// <summary>Starts what runs beside the library, once the container is complete.</summary>
    /// <param name="services">The container the provider lives in.</param>
    /// <returns>Ends it, before the container ends; null: nothing runs.</returns>
    IDisposable? Accompany(IServiceProvider services) => null;

    /// <summary>Returns when what was logged is out of the queue.</summary>
    /// <param name="services">The container the provider lives in.</param>
    void Drain(IServiceProvider services)
    {
        // most that write nothing have no queue
    }

    /// <summary>Takes the files away, so that the next load meets none.</summary>
    void RemoveFiles()
    {
        foreach (var file in Files)
            File.Delete(file);
    }

    /// <summary>Throws unless exactly what was logged came out. Called after dispose.</summary>
    void Verify(WrittenLines expected)
    {
        foreach (var file in Files)
            WrittenLines.Verify(file, expected);
    }
}
