using Microsoft.Extensions.Configuration;

namespace AsyncLog;

/// <summary>Reads one section into an options object through the table of known keys.</summary>
internal static class SectionReader
{
    // A slip in a security setting must not be a weaker setting.
    private const string SecuritySection = "Tls";

    /// <param name="section">The section.</param>
    /// <param name="path">Its full key path, for messages.</param>
    /// <param name="layer">What it counts as.</param>
    /// <param name="options">Where the values go.</param>
    /// <param name="table">The known keys.</param>
    /// <param name="log">What was noticed.</param>
    /// <param name="childrenKey">A key that is known and read elsewhere.</param>
    /// <param name="prefix">The part of the key names that <paramref name="section"/> stands for.</param>
    public static void Read<TOptions>(
        IConfiguration section, string path, OptionLayer layer, TOptions options, KeyTable<TOptions> table, LayerLog<TOptions> log,
        string? childrenKey = null, string prefix = "")
    {
        foreach (IConfigurationSection child in section.GetChildren())
        {
            string name = prefix + child.Key;
            if (table.Find(name) is { } key)
            {
                string written = key.Name[prefix.Length..];
                key.Read(child, options, log, $"{path}:{written}", layer);
            }
            else if (table.Keys.Any(known => known.Name.StartsWith(name + ":", StringComparison.OrdinalIgnoreCase)))
            {
                Read(child, $"{path}:{child.Key}", layer, options, table, log, prefix: name + ":");
            }
            else if (!child.Key.Equals(childrenKey, StringComparison.OrdinalIgnoreCase))
            {
                bool isFatal = prefix.StartsWith(SecuritySection + ":", StringComparison.OrdinalIgnoreCase) || table.IsRefused(name);
                string? hint = table.HintFor(name, childrenKey is null ? [] : [childrenKey]);
                log.UnknownKeys.Add(new UnknownKey($"{path}:{child.Key}", hint, isFatal));
            }
        }
    }
}
