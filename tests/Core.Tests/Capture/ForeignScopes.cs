using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Capture;

/// <summary>Scope providers that are not MEL's, and MEL's own as a factory hands it out.</summary>
internal static class ForeignScopes
{
    /// <summary>The scopes of a factory, with those of the activity.</summary>
    public static IExternalScopeProvider OfFactory(ActivityTrackingOptions tracking)
    {
        var captor = new Captor();
        // Not disposed: its scopes are still in use.
        _ = LoggerFactory.Create(builder => builder.AddProvider(captor).Configure(options => options.ActivityTrackingOptions = tracking));
        return captor.Scopes ?? throw new InvalidOperationException("The factory has no scopes.");
    }

    /// <summary>Keeps the scopes in the execution context.</summary>
    internal sealed class OfExecution : IExternalScopeProvider
    {
        private readonly AsyncLocal<Scope?> _current = new();

        public void ForEachScope<TState>(Action<object?, TState> callback, TState state) => Visit(_current.Value, callback, state);

        public IDisposable Push(object? state) => _current.Value = new Scope(this, _current.Value, state);

        private static void Visit<TState>(Scope? scope, Action<object?, TState> callback, TState state)
        {
            if (scope is null)
                return;
            Visit(scope.Parent, callback, state);
            callback(scope.State, state);
        }

        private sealed class Scope(OfExecution owner, Scope? parent, object? state) : IDisposable
        {
            public Scope? Parent => parent;

            public object? State => state;

            public void Dispose() => owner._current.Value = parent;
        }
    }

    /// <summary>Has the same scopes for all: they change although the execution context stays.</summary>
    internal sealed class OfProcess : IExternalScopeProvider
    {
        private readonly List<object?> _scopes = [];

        public void ForEachScope<TState>(Action<object?, TState> callback, TState state)
        {
            foreach (var scope in _scopes)
                callback(scope, state);
        }

        public IDisposable Push(object? state)
        {
            _scopes.Add(state);
            return new Scope(() => _scopes.Remove(state));
        }

        private sealed class Scope(Action end) : IDisposable
        {
            public void Dispose() => end();
        }
    }

    /// <summary>A class that derives from MEL's, with a scope that no execution context has.</summary>
    internal sealed class Derived : LoggerExternalScopeProvider, IExternalScopeProvider
    {
        /// <summary>The innermost scope; null: none.</summary>
        public object? Innermost { get; set; }

        void IExternalScopeProvider.ForEachScope<TState>(Action<object?, TState> callback, TState state)
        {
            ForEachScope(callback, state);
            if (Innermost is not null)
                callback(Innermost, state);
        }
    }

    private sealed class Captor : ILoggerProvider, ISupportExternalScope
    {
        public IExternalScopeProvider? Scopes { get; private set; }

        public ILogger CreateLogger(string categoryName) => Microsoft.Extensions.Logging.Abstractions.NullLogger.Instance;

        public void SetScopeProvider(IExternalScopeProvider scopeProvider) => Scopes = scopeProvider;

        public void Dispose()
        {
        }
    }
}
