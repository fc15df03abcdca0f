using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Bench;

/// <summary>AsyncLog to one file while everything that can look at it does.</summary>
internal sealed class AsyncLogWatchedLibrary(LibrarySetup setup) : ILibrary
{
    private readonly AsyncLogLibrary _inner = new(setup, "Text", instances: 1);

    public int Room => _inner.Room;

    public IReadOnlyList<string> Files => _inner.Files;

    public void AddTo(ILoggingBuilder builder)
    {
        _inner.AddTo(builder);
        builder.Services.AddHealthChecks().AddAsyncLog();
    }

    public IDisposable? Accompany(IServiceProvider services) => new Watcher(services);

    public void Drain(IServiceProvider services) => _inner.Drain(services);

    public void Dispose() => _inner.Dispose();
}
