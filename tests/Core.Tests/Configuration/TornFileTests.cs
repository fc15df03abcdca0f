using Microsoft.Extensions.Configuration;

namespace AsyncLog.Tests.Configuration;

/// <summary>A settings file that changes while it is read.</summary>
public sealed class TornFileTests
{
    private static readonly (string Key, string? Value)[] First = [("Path", "a.log"), ("Header", "first"), ("Greeting", "first"), ("Files:one:Header", "first")];
    private static readonly (string Key, string? Value)[] Second = [("Path", "b.log"), ("Header", "second"), ("Greeting", "second"), ("Files:one:Header", "second")];

    [Fact]
    public void A_file_that_is_emptied_after_any_access_of_a_reading_changes_nothing()
    {
        var accesses = 0;
        for (var access = 0; access == 0 || access < accesses; access++)
        {
            var file = new SettingsFile(First);
            var configuration = Configuration(file);
            Assert.Equal("a.log first first first", Show(configuration));

            file.After(access, static () => []);
            configuration.Reload([]);
            accesses = file.Accesses;

            // As .NET does it, without an event, while variables of the environment keep the section.
            Assert.Equal("a.log first first first", Show(configuration));
            configuration.Reload([]);
            Assert.Equal("a.log first first first", Show(configuration));
            Assert.Equal(
                "settings.json is not valid: no keys are left, because the file is empty, incomplete or gone: complete it, or restart to continue without its keys",
                Assert.Single(configuration.Current.Problems).ToString());

            file.Content = Second;
            var change = configuration.Reload([]);
            Assert.Equal("b.log second second second", Show(configuration));
            Assert.Single(change.SolvedProblems);
            Assert.Empty(configuration.Current.Problems);
        }

        Assert.InRange(accesses, 20, 1000);
    }

    [Fact]
    public void A_file_that_is_replaced_after_any_access_of_a_reading_is_read_as_one_of_both()
    {
        var accesses = 0;
        var seen = new HashSet<string>(StringComparer.Ordinal);
        for (var access = 0; access == 0 || access < accesses; access++)
        {
            var file = new SettingsFile(First);
            var configuration = Configuration(file);
            file.After(access, static () => Second);
            configuration.Reload([]);
            accesses = file.Accesses;
            seen.Add(Show(configuration));
        }

        Assert.Subset(new HashSet<string>(["a.log first first first", "b.log second second second"], StringComparer.Ordinal), seen);
        Assert.Contains("b.log second second second", seen);
    }

    [Fact]
    public void A_source_whose_values_change_with_each_access_keeps_the_last_settings()
    {
        var file = new SettingsFile(First);
        var configuration = Configuration(file);
        var number = 0;
        file.Always(() => [.. First, ("Files:one:Header", $"{number++}")]);

        configuration.Reload([]);

        Assert.Equal("a.log first first first", Show(configuration));
        Assert.Equal(
            "Logging:AsyncProbe is not valid: reading it failed with InvalidOperationException: the configuration changes while it is read",
            Assert.Single(configuration.Current.Problems).ToString());
    }

    private static string Show(SinkConfiguration<ProbeOptions> configuration)
    {
        var (main, one) = (configuration.Current.Find("default")!.Options, configuration.Current.Find("one")!.Options);
        return $"{Path.GetFileName(main.ResolvedPath)} {main.Header} {main.Greeting} {one.Header}";
    }

    private static SinkConfiguration<ProbeOptions> Configuration(SettingsFile file)
    {
        var root = new ConfigurationBuilder().Add(file).AddInMemoryCollection([KeyValuePair.Create("Main", (string?)"true")]).Build();
        return new SinkConfiguration<ProbeOptions>(Probe.Reader(root, files: new SettingsFiles(root, static provider => provider is SettingsFile)));
    }

    /// <summary>A file whose content changes after so many accesses.</summary>
    private sealed class SettingsFile : ConfigurationProvider, IConfigurationSource
    {
        private int _changesAfter = int.MaxValue;
        private Func<(string Key, string? Value)[]> _next = static () => [];
        private bool _repeats;

        public SettingsFile((string Key, string? Value)[] content) => Content = content;

        public int Accesses { get; private set; }

        public (string Key, string? Value)[] Content
        {
            set
            {
                Data.Clear();
                foreach (var (key, text) in value)
                    Data[key] = text;
            }
        }

        public void After(int accesses, Func<(string Key, string? Value)[]> next) => (Accesses, _changesAfter, _next) = (0, accesses, next);

        public void Always(Func<(string Key, string? Value)[]> next) => (_repeats, Accesses, _changesAfter, _next) = (true, 0, 0, next);

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

        public override string ToString() => "settings.json";

        private void Count()
        {
            if (Accesses++ == _changesAfter || (_repeats && Accesses > 0))
                Content = _next();
        }
    }
}
