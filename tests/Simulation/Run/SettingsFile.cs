using System.Globalization;
using Microsoft.Extensions.Configuration;

namespace AsyncLog.Tests.Run;

/// <summary>A settings file that another program writes while the product reads it. Each value of a version has its number.</summary>
internal sealed class SettingsFile : ConfigurationProvider, IConfigurationSource
{
    private const int SmallestLimit = 10_000;
    private readonly SinkConfiguration<AsyncFileLoggerOptions> _configuration;
    private readonly bool _isHalfTaken;
    private int _accessesLeft = int.MaxValue;
    private int? _next;

    /// <param name="isHalfTaken">True: a half-written file has the keys of its first half, where .NET has none.</param>
    public SettingsFile(bool isHalfTaken)
    {
        _isHalfTaken = isHalfTaken;
        Write(0);
        // A variable of the environment, which stays when the file is empty.
        var root = new ConfigurationBuilder().AddInMemoryCollection([KeyValuePair.Create("SingleLine", (string?)"true")]).Add(this).Build();
        _configuration = new SinkConfiguration<AsyncFileLoggerOptions>(new SettingsReader<AsyncFileLoggerOptions>(
            new FileSinkDefinition(new AsyncFileControl()),
            new OptionSources<AsyncFileLoggerOptions>
            {
                Section = root,
                FactoryLevels = new ConfigurationBuilder().Build(),
                Files = new SettingsFiles(root, provider => provider == this && !isHalfTaken),
                Application = new ApplicationInfo { ApplicationName = "app", EnvironmentName = "Test", ContentRootPath = "/" },
                Formats = new SinkFormats(["Text"], [], "Text"),
            },
            new SinkNames("File", "AsyncFile", "Files", "AddAsyncFile")));
    }

    /// <summary>The version in force.</summary>
    public int InForce { get; private set; }

    /// <summary>Writes a version and reads it. After so many accesses of the reading the file has another version, or is half-written (null).</summary>
    /// <returns>What is wrong; null: nothing.</returns>
    public string? Reload(int version, int accesses, int? next)
    {
        Write(version);
        (_accessesLeft, _next) = (accesses, next);
        _configuration.Reload([]);
        var isTorn = _accessesLeft < 0;
        _accessesLeft = int.MaxValue;
        var options = _configuration.Current.Instances.Single().Options;
        int[] numbers =
        [
            options.Path is { } path && int.TryParse(Path.GetFileNameWithoutExtension(path), CultureInfo.InvariantCulture, out var number) ? number : -1,
            (int)(options.FileSizeLimit ?? 0) - SmallestLimit,
            (int)(options.MinFreeSpace ?? -1),
            options.RetainedFileCountLimit - 1 ?? -1,
        ];
        var read = numbers[0];
        // A file that changes after the last access changes too late.
        var expected = read == version || (isTorn && read == (next ?? InForce));
        if (!expected || numbers.Any(number => number != read))
            return $"the settings are of no version of the file: {string.Join(' ', numbers)}";
        InForce = read;
        return null;
    }

    public IConfigurationProvider Build(IConfigurationBuilder builder) => this;

    public override bool TryGet(string key, out string? value)
    {
        var isThere = base.TryGet(key, out value);
        Count();
        return isThere;
    }

    public override IEnumerable<string> GetChildKeys(IEnumerable<string> earlierKeys, string? parentPath)
    {
        string[] keys = [.. base.GetChildKeys(earlierKeys, parentPath)];
        Count();
        return keys;
    }

    private void Count()
    {
        if (_accessesLeft == int.MaxValue || _accessesLeft-- != 0)
            return;
        if (_next is { } version)
            Write(version);
        else if (_isHalfTaken)
            Data.Remove(nameof(AsyncFileLoggerOptions.Path));
        else
            Data.Clear();
    }

    private void Write(int version)
    {
        Data[nameof(AsyncFileLoggerOptions.Path)] = string.Create(CultureInfo.InvariantCulture, $"/logs/{version}.log");
        Data[nameof(AsyncFileLoggerOptions.FileSizeLimit)] = string.Create(CultureInfo.InvariantCulture, $"{SmallestLimit + version}");
        Data[nameof(AsyncFileLoggerOptions.MinFreeSpace)] = string.Create(CultureInfo.InvariantCulture, $"{version}");
        Data[nameof(AsyncFileLoggerOptions.RetainedFileCountLimit)] = string.Create(CultureInfo.InvariantCulture, $"{version + 1}");
    }
}
