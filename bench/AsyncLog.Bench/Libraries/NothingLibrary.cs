using Microsoft.Extensions.Logging;

namespace AsyncLog.Bench;

/// <summary>No provider at all: an application without logging.</summary>
internal sealed class NothingLibrary : ILibrary
{
    public void AddTo(ILoggingBuilder builder)
    {
        // no logging
    }

    public void Dispose()
    {
        // holds nothing
    }
}
