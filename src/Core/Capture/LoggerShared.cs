using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>What all loggers of a provider share.</summary>
internal sealed class LoggerShared(TimeProvider timeProvider, CategoryTable categories)
{
    private IExternalScopeProvider? _scopes;

    public TimeProvider TimeProvider { get; } = timeProvider;

    public CategoryTable Categories { get; } = categories;

    /// <summary>The factory's scopes; set once, before the first logger is handed out.</summary>
    public IExternalScopeProvider? Scopes
    {
        get => Volatile.Read(ref _scopes);
        set => Volatile.Write(ref _scopes, value);
    }
}
