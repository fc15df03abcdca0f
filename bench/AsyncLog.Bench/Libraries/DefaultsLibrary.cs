using Microsoft.Extensions.Logging;

namespace AsyncLog.Bench;

/// <summary>A library with its own defaults: it drops when its queue is full.</summary>
internal sealed class DefaultsLibrary(Action<ILoggingBuilder> add) : ILibrary
{
    public void AddTo(ILoggingBuilder builder) => add(builder);

    public void Dispose()
    {
        // The container owns everything.
    }
}
