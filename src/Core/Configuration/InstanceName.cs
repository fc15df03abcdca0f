using System.Buffers;

namespace AsyncLog;

/// <summary>Names of instances: <c>[A-Za-z0-9_.-]{1,64}</c>, equal ignoring case.</summary>
internal static class InstanceName
{
    public const string Default = "default";

    private const int LongestName = 64;

    private static readonly SearchValues<char> Allowed =
        SearchValues.Create("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-");

    public static bool IsDefault(string name) => name.Equals(Default, StringComparison.OrdinalIgnoreCase);

    /// <summary>The rule a name breaks, in words; null when it breaks none.</summary>
    public static string? Rule(string name) =>
        IsDefault(name) ? "the name is reserved: the default instance is described by the section itself"
        : name.Length is 0 or > LongestName || name.AsSpan().ContainsAnyExcept(Allowed) ? "expected a name of 1 to 64 letters, digits, '_', '.' or '-'"
        : null;
}
