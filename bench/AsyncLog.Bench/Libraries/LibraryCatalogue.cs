namespace AsyncLog.Bench;

/// <summary>Every library by its name on the command line.</summary>
internal static class LibraryCatalogue
{
    private static readonly Dictionary<string, Func<string, ILibrary>> Factories = new(StringComparer.Ordinal)
    {
        ["no-op"] = static _ => new NoOpLibrary(),
        ["asynclog-text"] = static directory => new AsyncLogLibrary(directory, "Text", instances: 1),
        ["asynclog-json"] = static directory => new AsyncLogLibrary(directory, "Json", instances: 1),
        ["asynclog-two"] = static directory => new AsyncLogLibrary(directory, "Text", instances: 2),
        ["nlog-100000"] = static directory => new NLogLibrary(directory, queueLimit: 100_000),
        ["nlog-1000"] = static directory => new NLogLibrary(directory, queueLimit: 1_000),
        ["serilog"] = static directory => new SerilogLibrary(directory),
        ["console"] = static directory => new ConsoleLibrary(directory),
    };

    public static IReadOnlyCollection<string> Names => Factories.Keys;

    public static ILibrary Create(string name, string directory)
        => Factories.TryGetValue(name, out var factory) ? factory(directory) : throw new ArgumentException($"no library '{name}'");
}
