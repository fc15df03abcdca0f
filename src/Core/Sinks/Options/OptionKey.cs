using Microsoft.Extensions.Configuration;

namespace AsyncLog;

/// <summary>One row of the known-key table: how an option is read, compared, checked and shown.</summary>
internal abstract class OptionKey<TOptions>(string name, OptionReload reload)
{
    public string Name { get; } = name;

    public OptionReload Reload { get; } = reload;

    /// <summary>Takes the value of the section over into the options, or says what is wrong with it.</summary>
    public abstract void Read(IConfigurationSection section, TOptions options, LayerLog<TOptions> log, string path, OptionLayer layer);

    /// <summary>The value in a form that <see cref="object.Equals(object?, object?)"/> compares.</summary>
    public abstract object? Snapshot(TOptions options);

    /// <summary>The value as text for messages; null for none.</summary>
    public abstract string? Show(TOptions options);

    /// <summary>The rule that the value breaks, in words; null when it breaks none.</summary>
    public abstract string? Check(TOptions options);

    public abstract void Copy(TOptions from, TOptions to);
}
