using Microsoft.Extensions.Configuration;

namespace AsyncLog.Tests;

/// <summary>Configuration in memory from which keys can be taken away again.</summary>
internal sealed class MemorySource : ConfigurationProvider, IConfigurationSource
{
    public MemorySource(IEnumerable<(string Key, string? Value)> values)
    {
        foreach ((string key, string? value) in values)
        {
            Data[key] = value;
        }
    }

    public static IConfigurationRoot Build(IEnumerable<(string Key, string? Value)> values) => new ConfigurationBuilder().Add(new MemorySource(values)).Build();

    public static MemorySource Of(IConfigurationRoot root) => (MemorySource)root.Providers.Single();

    public IConfigurationProvider Build(IConfigurationBuilder builder) => this;

    public void Change(string key, string? value)
    {
        if (value is null)
        {
            Data.Remove(key);
        }
        else
        {
            Data[key] = value;
        }
    }

    public void Clear() => Data.Clear();
}
