using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Names of one sink in configuration, in code and in the logger factory.</summary>
/// <param name="ProviderName">The full name of the provider's class, by which the logger factory knows it.</param>
/// <param name="Alias">The name of its section.</param>
internal sealed record SinkNames(string ProviderName, string Alias, string ChildrenKey, string RegistrationMethod)
{
    /// <summary>The full name of the class that has the alias: the provider, or a sink of others. Then the logger factory does not know the alias.</summary>
    public string AliasedName { get; init; } = ProviderName;

    /// <summary>The type in names of instances: <c>file</c> in <c>file/errors</c>.</summary>
    public string Kind { get; init; } = "";

    /// <summary>The options class. No other sink of the container has the same: delegates and validators find their options by it.</summary>
    public Type? OptionsType { get; init; }

    /// <summary>The provider's section, whatever section the application bound. The logger factory reads its levels, also if code gave another one.</summary>
    public string UsualSection => "Logging:" + Alias;

    /// <summary>The section that AsyncLog reads: the usual one, unless code gave another.</summary>
    public string Section { get => field ?? UsualSection; init; }

    /// <summary>True if code gave another section than the usual one.</summary>
    public bool HasGivenSection => !Section.Equals(UsualSection, StringComparison.OrdinalIgnoreCase);

    /// <summary>The section of the named instances.</summary>
    public string Children => $"{Section}:{ChildrenKey}";

    /// <summary>Returns true if a rule of the logger factory with this provider name is for the provider.</summary>
    public bool IsProvider(string name) => name == ProviderName || name == Alias || name == AliasedName;

    /// <summary>Repeats the rules for the alias for the provider where the logger factory does not know its alias.</summary>
    public void RepeatRules(IList<LoggerFilterRule> rules)
    {
        if (AliasedName == ProviderName)
            return;
        for (var index = rules.Count - 1; index >= 0; index--)
        {
            var rule = rules[index];
            if (rule.ProviderName is { } name && name != ProviderName && IsProvider(name))
                rules.Insert(index + 1, new LoggerFilterRule(ProviderName, rule.CategoryName, rule.LogLevel, rule.Filter));
        }
    }

    public string SectionOf(string instance) => InstanceName.IsDefault(instance) ? Section : $"{Children}:{instance}";

    public string CallOf(string instance) =>
        InstanceName.IsDefault(instance) ? RegistrationMethod + "()" : $"{RegistrationMethod}(\"{instance}\")";
}

/// <summary>The section that code gave to the sink with an options class, in place of the usual one.</summary>
internal sealed record GivenSection(Type OptionsType, IConfigurationSection Section);

/// <summary>The name of an instance that code registered.</summary>
internal sealed record SinkInstanceName<TOptions>(string Name)
    where TOptions : SinkOptions;
