namespace AsyncLog.Bench;

/// <summary>Every mode, in the order of the report.</summary>
internal static class ModeCatalogue
{
    public static IReadOnlyList<IMode> All { get; } =
        [new SanityMode(), new CallerMode(), new RequestMode(), new SaturateMode(), new OtlpMode(), new ColdMode()];

    public static IMode? Find(string name) => All.FirstOrDefault(mode => mode.Name == name);

    /// <summary>Modes by their names with commas between, in the order of the report, and the sanity row with any of them; all for none.</summary>
    /// <exception cref="ArgumentException">There is no such mode.</exception>
    public static IReadOnlyList<IMode> Choose(string names)
    {
        var wanted = names.Split(',', StringSplitOptions.RemoveEmptyEntries);
        if (wanted.FirstOrDefault(static name => Find(name) is null) is { } unknown)
            throw new ArgumentException($"no mode '{unknown}'; there are: {string.Join(", ", All.Select(static mode => mode.Name))}");
        return wanted.Length == 0 ? All : [.. All.Where(mode => mode is SanityMode || wanted.Contains(mode.Name, StringComparer.Ordinal))];
    }
}
