using Microsoft.Extensions.Logging;

namespace AsyncLog.Bench;

/// <summary>Two libraries in one application: every record goes to both.</summary>
internal sealed class TwoLibraries(ILibrary first, ILibrary second) : ILibrary
{
    public int Room => Math.Min(first.Room, second.Room);

    public IReadOnlyList<string> Files => [.. first.Files, .. second.Files];

    public void AddTo(ILoggingBuilder builder)
    {
        first.AddTo(builder);
        second.AddTo(builder);
    }

    public void Drain(IServiceProvider services)
    {
        first.Drain(services);
        second.Drain(services);
    }

    public void Dispose()
    {
        first.Dispose();
        second.Dispose();
    }
}
