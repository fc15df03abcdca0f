using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Options;

namespace AsyncLog;

/// <summary>Everything options of one sink are read from, strongest last.</summary>
internal sealed class OptionSources<TOptions>
    where TOptions : SinkOptions
{
    /// <summary>The provider's section, under its alias and its full type name.</summary>
    public required IConfiguration Section { get; init; }

    /// <summary>The section <c>Logging:LogLevel</c>, which the logger factory reads.</summary>
    public required IConfiguration FactoryLevels { get; init; }

    public IReadOnlyList<IConfigureOptions<TOptions>> Configure { get; init; } = [];

    public IReadOnlyList<IPostConfigureOptions<TOptions>> PostConfigure { get; init; } = [];

    public IReadOnlyList<IValidateOptions<TOptions>> Validate { get; init; } = [];

    /// <summary>Names of instances that code registered, in that order.</summary>
    public IReadOnlyList<string> Names { get; init; } = [];

    public void ApplyCode(string optionsName, TOptions options)
    {
        foreach (IConfigureOptions<TOptions> configure in Configure)
        {
            if (configure is IConfigureNamedOptions<TOptions> named)
            {
                named.Configure(optionsName, options);
            }
            else if (optionsName.Length == 0)
            {
                configure.Configure(options);
            }
        }
    }

    public void ApplyPostConfigure(string optionsName, TOptions options)
    {
        foreach (IPostConfigureOptions<TOptions> configure in PostConfigure)
        {
            configure.PostConfigure(optionsName, options);
        }
    }

    public IEnumerable<string> Failures(string optionsName, TOptions options) =>
        Validate.Select(validate => validate.Validate(optionsName, options))
            .Where(result => result.Failed)
            .SelectMany(result => result.Failures ?? []);
}
