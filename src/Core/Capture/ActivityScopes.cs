using System.Collections.Concurrent;

namespace AsyncLog;

/// <summary>Knows the scope that the logger factory adds for the current activity; its ids are fields of their own.</summary>
internal static class ActivityScopes
{
    private const string Name = "ActivityLogScope";
    private static readonly ConcurrentDictionary<Type, bool> Known = new();

    public static bool IsActivity(object scope)
    {
        var type = scope.GetType();
        return Known.TryGetValue(type, out var isActivity) ? isActivity : Known.GetOrAdd(type, static found => Judge(found));
    }

    private static bool Judge(Type type) => type.Name == Name && type.Assembly.GetName().Name == "Microsoft.Extensions.Logging";
}
