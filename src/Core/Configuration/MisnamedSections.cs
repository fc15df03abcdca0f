using Microsoft.Extensions.Configuration;

namespace AsyncLog;

/// <summary>Finds sections that are meant for a sink or the process but that nothing reads: misnamed ones, and a sink's section that was not passed to the logging
/// builder. Also finds a value in place of a sink's section.</summary>
internal static class MisnamedSections
{
    private const string Logging = "Logging";
    private const string Process = "AsyncLog";
    private const string Prefix = "Async";
    private const string Statement = "is not a section that AsyncLog reads";
    private const string AddConfiguration = "call builder.Logging.AddConfiguration(builder.Configuration.GetSection(\"Logging\"))";

    /// <param name="root">The application's configuration; null: it cannot be searched.</param>
    /// <param name="given">The paths of the sections that code gave to sinks.</param>
    /// <param name="isPresent">True if the sink reads a section with keys.</param>
    public static IEnumerable<UnknownKey> Find(
        IConfiguration? root, SinkNames names, IReadOnlyCollection<string> sections, IReadOnlyList<string> given, IReadOnlyCollection<string> processKeys,
        bool isPresent)
    {
        if (root is null)
            yield break;

        foreach (IConfigurationSection section in root.GetSection(Logging).GetChildren())
        {
            if (given.Any(path => Contains(section, path)))
                continue;
            if (names.HasGivenSection && Equal(section.Key, names.Alias) && section.GetChildren().Any(static child => !Equal(child.Key, LevelMap.KeyName)))
                yield return new UnknownKey(section.Path, null) { Statement = $"is not read: code gave {names.Section} in its place", IsGuess = true };
            if (Equal(section.Key, LevelMap.KeyName) && !string.IsNullOrEmpty(section.Value))
                yield return new UnknownKey(section.Path, $"expected a section such as {{ \"{LevelMap.DefaultKey}\": \"{section.Value}\" }}") { Statement = $"is the value '{section.Value}'" };
            if (IsJoined(section.Key, [names.Alias, LevelMap.KeyName]))
                yield return Joined(section.Path, $"{Logging}_{section.Key}");
            if (Equal(section.Key, names.Alias) && !string.IsNullOrEmpty(section.Value))
                yield return new UnknownKey(section.Path, "expected a section with options") { Statement = $"is the value '{section.Value}'" };
            if (!isPresent && !names.HasGivenSection && (Equal(section.Key, names.Alias) || Equal(section.Key, names.AliasedName)) && section.GetChildren().Any())
                yield return new UnknownKey(section.Path, AddConfiguration) { Statement = "is not read: it was not passed to the logging builder" };
            if (Equal(section.Key, Process) && HasOneOf(section, processKeys))
                yield return new UnknownKey(section.Path, $"did you mean '{Process}'?") { Statement = Statement };
            if (Equal(section.Key, LevelMap.KeyName) || Equal(section.Key, Process) || Equal(section.Key, names.Alias) || sections.Contains(section.Key, StringComparer.OrdinalIgnoreCase))
                continue;

            bool isNear = NameSuggestions.Near(section.Key, [names.Alias]) is not null;
            if (!isNear && IsOfNoSink(section))
                yield return new UnknownKey(section.Path, $"call builder.Logging.Add{section.Key}()") { Statement = "is not read: no sink of this name is added", IsGuess = true };
            if (isNear || (!isPresent && IsWithoutPrefix(section.Key, names.Alias)))
                yield return new UnknownKey(section.Path, $"did you mean '{names.Alias}'?") { Statement = Statement, IsGuess = !isNear };
        }

        foreach (IConfigurationSection section in root.GetChildren())
        {
            if (given.Any(path => Contains(section, path)))
                continue;
            if (Equal(section.Key, names.Alias))
            {
                yield return new UnknownKey(section.Path, $"did you mean '{names.Section}'?") { Statement = Statement };
            }
            else if (IsJoined(section.Key, [$"{Logging}_{names.Alias}", $"{Logging}_{LevelMap.KeyName}", .. processKeys.Select(static key => $"{Process}_{key}")]))
            {
                yield return Joined(section.Path, section.Key);
            }
            else if (IsSlipOf(section, Logging, [LevelMap.KeyName, names.Alias]))
            {
                yield return new UnknownKey(section.Path, $"did you mean '{Logging}'?") { Statement = Statement };
            }
            else if (IsSlipOf(section, Process, processKeys))
            {
                yield return new UnknownKey(section.Path, $"did you mean '{Process}'?") { Statement = Statement };
            }
        }
    }

    // The section of a sink whose package or registration is missing. What begins with AsyncLog belongs to no sink.
    private static bool IsOfNoSink(IConfigurationSection section)
        => section.Key.StartsWith(Prefix, StringComparison.OrdinalIgnoreCase) && !section.Key.StartsWith(Process, StringComparison.OrdinalIgnoreCase)
            && !section.Key.Contains('_') && section.GetChildren().Any();

    // The name of a variable with single underscores: "Logging_AsyncFile_Path".
    private static bool IsJoined(string key, IEnumerable<string> names)
        => names.Any(name => key.StartsWith(name, StringComparison.OrdinalIgnoreCase) && (key.Length == name.Length ? name.Contains('_') : key[name.Length] == '_'));

    private static UnknownKey Joined(string path, string name)
        => new(path, $"two underscores separate the parts of a variable: did you mean '{name.Replace("_", "__", StringComparison.Ordinal)}'?") { Statement = Statement };

    // "File" for AsyncFile is another library's section as well.
    private static bool IsWithoutPrefix(string key, string alias)
        => alias.StartsWith(Prefix, StringComparison.Ordinal) && NameSuggestions.Distance(key, alias[Prefix.Length..]) <= 1;

    // A name alone is too little: the section holds what the one that is meant would hold.
    private static bool IsSlipOf(IConfigurationSection section, string name, IReadOnlyCollection<string> keys)
        => !Equal(section.Key, name) && NameSuggestions.Near(section.Key, [name]) is not null && HasOneOf(section, keys);

    private static bool HasOneOf(IConfigurationSection section, IReadOnlyCollection<string> keys)
        => section.GetChildren().Any(child => keys.Contains(child.Key, StringComparer.OrdinalIgnoreCase));

    private static bool Contains(IConfigurationSection section, string path)
        => (path + ConfigurationPath.KeyDelimiter).StartsWith(section.Path + ConfigurationPath.KeyDelimiter, StringComparison.OrdinalIgnoreCase);

    private static bool Equal(string left, string right) => left.Equals(right, StringComparison.OrdinalIgnoreCase);
}
