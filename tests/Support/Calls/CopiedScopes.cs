using System.Reflection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Calls;

/// <summary>The scopes of another provider, each a new object at each visit: what is kept for a scope, or for a provider, is never found again.</summary>
internal sealed class CopiedScopes(IExternalScopeProvider scopes) : IExternalScopeProvider
{
    private static readonly Func<object, object> Clone = typeof(object).GetMethod("MemberwiseClone", BindingFlags.Instance | BindingFlags.NonPublic)!.CreateDelegate<Func<object, object>>();

    public void ForEachScope<TState>(Action<object?, TState> callback, TState state)
        => scopes.ForEachScope(static (scope, call) => call.callback(Copy(scope), call.state), (callback, state));

    public IDisposable Push(object? state) => scopes.Push(state);

    private static object? Copy(object? scope) => scope switch
    {
        null => null,
        string text => new string(text),
        // Those of MEL for an activity are recognized by their identity, and an activity's own tags are those of now.
        _ when scope.GetType().Name.StartsWith("Activity", StringComparison.Ordinal) || scope.GetType().Assembly == typeof(System.Diagnostics.Activity).Assembly => scope,
        _ => Clone(scope),
    };
}
