using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Bench;

/// <summary>A container with one library in it. Disposing returns when the library has written and closed everything.</summary>
internal sealed class LoggerHost : IDisposable
{
    private readonly ILibrary _library;
    private readonly ServiceProvider _services;
    private readonly IDisposable? _company;

    /// <param name="library">The library.</param>
    /// <param name="isService">Whether scopes tell the activity, as the host of a service has it.</param>
    public LoggerHost(ILibrary library, bool isService = false)
    {
        _library = library;
        _services = new ServiceCollection().AddLogging(library.AddTo).Configure<LoggerFactoryOptions>(options =>
        {
            if (isService)
                options.ActivityTrackingOptions = ActivityTrackingOptions.SpanId | ActivityTrackingOptions.TraceId | ActivityTrackingOptions.ParentId;
        }).BuildServiceProvider();
        Logger = _services.GetRequiredService<ILoggerFactory>().CreateLogger(OrderLog.Category);
        _company = library.Accompany(_services);
    }

    /// <summary>The logger that is measured.</summary>
    public ILogger Logger { get; }

    public void Drain() => _library.Drain(_services);

    public void Dispose()
    {
        _company?.Dispose();
        _services.Dispose();
        _library.Dispose();
    }
}
