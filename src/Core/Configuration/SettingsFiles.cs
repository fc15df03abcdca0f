using Microsoft.Extensions.Configuration;

namespace AsyncLog;

/// <summary>Finds settings files that were emptied. .NET gives a file that it cannot parse no keys, so that a file that is half-written looks like one whose keys were removed.</summary>
internal sealed class SettingsFiles
{
    // In a package that Core does not need otherwise.
    private const string FileProvider = "Microsoft.Extensions.Configuration.FileConfigurationProvider";

    private readonly IConfiguration? _root;
    private readonly Func<IConfigurationProvider, bool> _isFile;

    // The files that had keys at the last reading without a problem.
    private HashSet<IConfigurationProvider> _filled;

    /// <param name="root">The application's configuration; null if none is registered.</param>
    /// <param name="isFile">Returns true for a provider that reads a file; null: those of .NET.</param>
    public SettingsFiles(IConfiguration? root, Func<IConfigurationProvider, bool>? isFile = null)
    {
        (_root, _isFile) = (root, isFile ?? IsFile);
        _filled = FindFilled();
    }

    /// <summary>Checks the files after a reading. A file with a problem keeps it until it has keys again.</summary>
    /// <returns>The problem, or null.</returns>
    public ConfigurationProblem? Check()
    {
        var now = FindFilled();
        if (FilesOf(_root).FirstOrDefault(file => _filled.Contains(file) && !now.Contains(file)) is { } emptied)
            return new ConfigurationProblem($"{emptied}", null, "no keys are left, because the file is empty, incomplete or gone: complete it, or restart to continue without its keys");
        _filled = now;
        return null;
    }

    private HashSet<IConfigurationProvider> FindFilled() => [.. FilesOf(_root).Where(static file => file.GetChildKeys([], null).Any())];

    private IEnumerable<IConfigurationProvider> FilesOf(IConfiguration? configuration) => configuration is not IConfigurationRoot root ? [] :
        root.Providers.SelectMany(provider => provider is ChainedConfigurationProvider chained ? FilesOf(chained.Configuration) : _isFile(provider) ? [provider] : []);

    private static bool IsFile(IConfigurationProvider provider)
    {
        for (var type = provider.GetType(); type is not null; type = type.BaseType)
        {
            if (type.FullName == FileProvider)
                return true;
        }

        return false;
    }
}
