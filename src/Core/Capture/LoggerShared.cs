using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>What all loggers of a provider share.</summary>
internal sealed class LoggerShared(TimeProvider timeProvider, CategoryTable categories)
{
    private readonly bool _isSystemTime = ReferenceEquals(timeProvider, TimeProvider.System);
    private IExternalScopeProvider? _scopes;

    public CategoryTable Categories { get; } = categories;

    /// <summary>The time, in ticks of UTC.</summary>
    public long GetUtcTicks()
#pragma warning disable RS0030 // What the system's provider asks, without the steps between.
        => _isSystemTime ? DateTime.UtcNow.Ticks : timeProvider.GetUtcNow().UtcTicks;
#pragma warning restore RS0030

    /// <summary>The factory's scopes; set once, before the first logger is handed out.</summary>
    public IExternalScopeProvider? Scopes
    {
        get => Volatile.Read(ref _scopes);
        set => Volatile.Write(ref _scopes, value);
    }
}
