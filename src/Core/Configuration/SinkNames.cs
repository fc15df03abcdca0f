namespace AsyncLog;

/// <summary>Names of one sink in configuration, in code and in the logger factory.</summary>
/// <param name="Alias">Its alias: the name of its section.</param>
internal sealed record SinkNames(string ProviderName, string Alias, string ChildrenKey, string RegistrationMethod)
{
    /// <summary>The options class. No other sink of the container has the same: delegates and validators find their options by it.</summary>
    public Type? OptionsType { get; init; }

    /// <summary>The provider's section, whatever section the application bound.</summary>
    public string Section => "Logging:" + Alias;

    /// <summary>The section of the named instances.</summary>
    public string Children => $"{Section}:{ChildrenKey}";

    /// <summary>Returns true if a rule of the logger factory with this provider name is for the provider.</summary>
    public bool IsProvider(string name) => name == ProviderName || name == Alias;

    public string SectionOf(string instance) => InstanceName.IsDefault(instance) ? Section : $"{Children}:{instance}";

    public string CallOf(string instance) =>
        InstanceName.IsDefault(instance) ? RegistrationMethod + "()" : $"{RegistrationMethod}(\"{instance}\")";
}

/// <summary>The name of an instance that code registered.</summary>
internal sealed record SinkInstanceName<TOptions>(string Name)
    where TOptions : SinkOptions;
