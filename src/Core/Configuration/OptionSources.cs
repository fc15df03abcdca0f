using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Options;

namespace AsyncLog;

/// <summary>Sources of the options of one sink, and the services needed to read them.</summary>
internal sealed class OptionSources<TOptions>
    where TOptions : SinkOptions
{
    private ConfigurationSnapshot? _snapshot;

    /// <summary>The provider's section, under its alias and its full type name. It may change at any time: read <see cref="Snapshot"/>.</summary>
    public required IConfiguration Section { get; init; }

    /// <summary>The section <c>Logging:LogLevel</c>, which the logger factory reads. It may change at any time: read <see cref="Snapshot"/>.</summary>
    public required IConfiguration FactoryLevels { get; init; }

    /// <summary>The configuration that was last read.</summary>
    public ConfigurationSnapshot Snapshot => Volatile.Read(ref _snapshot) ?? Renew();

    /// <summary>The application's whole configuration; null if none is registered.</summary>
    public IConfiguration? Root { get; init; }

    /// <summary>The files of <see cref="Root"/>.</summary>
    public SettingsFiles Files { get; init; } = new(null);

    public IReadOnlyList<IConfigureOptions<TOptions>> Configure { get; init; } = [];

    public IReadOnlyList<IPostConfigureOptions<TOptions>> PostConfigure { get; init; } = [];

    public IReadOnlyList<IValidateOptions<TOptions>> Validate { get; init; } = [];

    /// <summary>Names of instances that code registered, in that order.</summary>
    public IReadOnlyList<string> Names { get; init; } = [];

    /// <summary>The names of the sections of all sinks of the container.</summary>
    public IReadOnlyCollection<string> Sections { get; init; } = [];

    /// <summary>The paths of the sections that code gave to sinks of the container.</summary>
    public IReadOnlyList<string> GivenSections { get; init; } = [];

    /// <summary>The names of the process-wide options.</summary>
    public IReadOnlyCollection<string> ProcessKeys { get; init; } = [];

    public required ApplicationInfo Application { get; init; }

    /// <summary>The application's name from the host; null without a host or a name.</summary>
    public string? HostApplicationName { get; init; }

    public required SinkFormats Formats { get; init; }

    /// <summary>Gives the value of an environment variable; null when it is not defined.</summary>
    public Func<string, string?> Variable { get; init; } = Environment.GetEnvironmentVariable;

    /// <summary>Returns the error in the template of a layout with its column; null: none.</summary>
    public Func<RecordLayout, string?> CheckTemplate { get; init; } = static _ => null;

    /// <summary>Returns probably unintended output of a valid template, and a suggestion; each a sentence without its end.</summary>
    public Func<RecordLayout, IEnumerable<(string Statement, string? Hint)>> TemplateWarnings { get; init; } = static _ => [];

    /// <summary>Takes another snapshot.</summary>
    public ConfigurationSnapshot Renew()
    {
        // Without a configuration, variables of the environment take the place of its root.
        var snapshot = new ConfigurationSnapshot(Section, FactoryLevels, name => Root is null ? Environment.GetEnvironmentVariable(name) : Root[name]);
        Volatile.Write(ref _snapshot, snapshot);
        return snapshot;
    }

    public void ApplyCode(string optionsName, TOptions options)
    {
        foreach (var configure in Configure)
        {
            if (configure is IConfigureNamedOptions<TOptions> named)
                named.Configure(NameFor(named, optionsName), options);
            else if (optionsName.Length == 0)
                configure.Configure(options);
        }
    }

    public void ApplyPostConfigure(string optionsName, TOptions options)
    {
        foreach (var configure in PostConfigure)
            configure.PostConfigure(NameFor(configure, optionsName), options);
    }

    public IEnumerable<string> Failures(string optionsName, TOptions options) =>
        Validate.Select(validate => validate.Validate(NameFor(validate, optionsName), options))
            .Where(static result => result.Failed)
            .SelectMany(static result => result.Failures ?? []);

    /// <summary>Returns a warning for each delegate and validator of an instance that does not exist.</summary>
    /// <param name="instances">The named instances, also those that are switched off.</param>
    /// <param name="hasDefault">True if the section describes an instance.</param>
    public IEnumerable<UnknownKey> OfNoInstance(IReadOnlyCollection<string> instances, bool hasDefault)
    {
        var existing = string.Join(", ", hasDefault ? instances.Prepend(InstanceName.Default) : instances);
        foreach (var (method, name) in Configure.Select(static service => ("Configure", NameOf(service)))
            .Concat(PostConfigure.Select(static service => ("PostConfigure", NameOf(service))))
            .Concat(Validate.Select(static service => ("Validate", NameOf(service)))).Distinct())
        {
            if (string.IsNullOrEmpty(name) || instances.Contains(name, StringComparer.OrdinalIgnoreCase))
                continue;
            yield return new UnknownKey(
                $"{method}<{typeof(TOptions).Name}>(\"{ConfigurationProblem.Show("", name)}\")",
                InstanceName.IsDefault(name) ? "omit the name for the options of the section" : NameSuggestions.Near(name, instances) is { } near ? $"did you mean '{near}'?" : null)
            {
                Statement = $"is not used: no instance has this name now (instances: {existing})",
            };
        }
    }

    // The delegates of .NET compare names with case; names of instances are equal without.
    private static string NameFor(object service, string optionsName)
        => NameOf(service) is { } name && name.Equals(optionsName, StringComparison.OrdinalIgnoreCase) ? name : optionsName;

    // Delegates that take services are in classes without a common base. A trimmed application may have no such property: then their names are not checked.
    [UnconditionalSuppressMessage("Trimming", "IL2075", Justification = "A name that is not found is not checked.")]
    private static string? NameOf(object service) => service switch
    {
        ConfigureNamedOptions<TOptions> configure => configure.Name,
        PostConfigureOptions<TOptions> configure => configure.Name,
        ValidateOptions<TOptions> validate => validate.Name,
        _ => service.GetType() is { Namespace: "Microsoft.Extensions.Options" } type ? type.GetProperty("Name")?.GetValue(service) as string : null,
    };
}
