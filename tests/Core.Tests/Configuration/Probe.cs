using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Options;

namespace AsyncLog.Tests.Configuration;

/// <summary>A sink type for tests, and short ways to read its settings.</summary>
internal static class Probe
{
    public static readonly ApplicationInfo Application = new() { ApplicationName = "Shop", EnvironmentName = "Staging", ContentRootPath = "/srv/shop" };

    public static readonly SinkNames Names = new("AsyncLog.Tests.Configuration.ProbeProvider", "AsyncProbe", "Files", "AddAsyncProbe");

    public static SinkDefinition<ProbeOptions> Type(bool canApply = true, Func<ProbeOptions, IEnumerable<string>>? reservedNames = null)
    {
        return new TestDefinition<ProbeOptions>("file", static (_, _) => throw new NotSupportedException())
        {
            Children = "Files",
            Method = "AddAsyncProbe",
            Rows = static table =>
            {
                Describe(table);
                table.CodeOnly.Add(static (from, to) => to.ResolvedPath = from.ResolvedPath);
            },
            Main = false,
            Clear = options => (options.ParentPath, options.Path) = (options.Path, null),
            Resolving = Resolve,
            UniqueDestination = options => options.ResolvedPath,
            ReservedNames = reservedNames ?? (static _ => []),
            Applying = canApply ? static (_, _) => { } : null,
        };
    }

    public static SettingsReader<ProbeOptions> Reader(
        IConfiguration? section = null,
        IEnumerable<string>? names = null,
        IEnumerable<IConfigureOptions<ProbeOptions>>? configure = null,
        IEnumerable<IPostConfigureOptions<ProbeOptions>>? postConfigure = null,
        IEnumerable<IValidateOptions<ProbeOptions>>? validate = null,
        IConfiguration? factoryLevels = null,
        IEnumerable<string>? formats = null,
        SinkDefinition<ProbeOptions>? type = null,
        SettingsFiles? files = null) => new(
            type ?? Type(),
            new OptionSources<ProbeOptions>
            {
                Section = section ?? Section(),
                Files = files ?? new SettingsFiles(null),
                FactoryLevels = factoryLevels ?? Section(),
                Configure = [.. configure ?? []],
                PostConfigure = [.. postConfigure ?? []],
                Validate = [.. validate ?? []],
                Names = [.. names ?? []],
                Application = Application,
                Formats = new SinkFormats(["Text", "Json", "Clef"], formats ?? [], "Text"),
                Variable = name => name == "LOGS" ? "/var/log" : null,
                CheckTemplate = LogFormatters.CheckTemplate,
                TemplateWarnings = LogFormatters.TemplateWarnings,
            },
            Names);

    public static IConfiguration Section(params (string Key, string? Value)[] values) =>
        new ConfigurationBuilder().AddInMemoryCollection(values.Select(pair => new KeyValuePair<string, string?>(pair.Key, pair.Value))).Build();

    /// <summary>The settings of the section; fails the test when there is a problem.</summary>
    public static InstanceSettings<ProbeOptions>[] Read(params (string Key, string? Value)[] values)
    {
        SinkCandidate<ProbeOptions> reading = Reader(Section(values)).Read();
        Assert.Empty(reading.AllProblems.Select(problem => problem.ToString()));
        return [.. reading.Instances.Select(instance => instance.Settings!)];
    }

    /// <summary>The problems of the section as they are printed.</summary>
    public static string[] Problems(params (string Key, string? Value)[] values) => Problems(Reader(Section(values)));

    public static string[] Problems(SettingsReader<ProbeOptions> reader) => [.. Configuration(reader).Current.Problems.Select(problem => problem.ToString())];

    public static SinkConfiguration<ProbeOptions> Configuration(SettingsReader<ProbeOptions> reader) => new(reader);

    /// <summary>The process-wide options of a configuration; without one, of the environment.</summary>
    public static ProcessOptions Process(
        IConfiguration? root, IEnumerable<IConfigureOptions<AsyncLogOptions>>? code = null, IEnumerable<IPostConfigureOptions<AsyncLogOptions>>? post = null,
        System.Collections.IDictionary? variables = null)
    {
        ProcessSection section = new(root, variables);
        return new ProcessOptions(section, new OptionsFactory<AsyncLogOptions>([section, .. code ?? []], post ?? []));
    }

    public static IConfigureOptions<ProbeOptions> Code(Action<ProbeOptions> configure) => new ConfigureNamedOptions<ProbeOptions>("", configure);

    public static IConfigureOptions<ProbeOptions> Code(string name, Action<ProbeOptions> configure) => new InstanceConfigureOptions<ProbeOptions>(name, configure);

    private static void Describe(OptionsTable<ProbeOptions> table) => table
        .Add("Path", o => o.Path, (o, v) => o.Path = v, OptionKind.OptionalText, OptionReload.Rebuild)
        .Add("RollingInterval", o => o.RollingInterval, (o, v) => o.RollingInterval = v, OptionKind.Choice<ProbeChoice>(), OptionReload.Live)
        .Add("FileSizeLimit", o => o.FileSizeLimit, (o, v) => o.FileSizeLimit = v, OptionKind.Size(min: 4096).OrNull(), OptionReload.Live)
        .Add("RetainedFileCountLimit", o => o.RetainedFileCountLimit, (o, v) => o.RetainedFileCountLimit = v, OptionKind.Integer(min: 1).OrNull(nullMeaning: "all files"), OptionReload.Live)
        .Add("Mode", o => o.Mode, (o, v) => o.Mode = v, OptionKind.FileMode, OptionReload.Live)
        .Add("Age", o => o.Age, (o, v) => o.Age = v, OptionKind.Time(TimeSpan.FromMinutes(1)).OrNull(), OptionReload.Live)
        .Add("SyncLevel", o => o.SyncLevel, (o, v) => o.SyncLevel = v, OptionKind.Level, OptionReload.Live)
        .Add("Greeting", o => o.Greeting, (o, v) => o.Greeting = v, OptionKind.Text, OptionReload.LiveNewFile)
        .Add("Header", o => o.Header, (o, v) => o.Header = v, OptionKind.OptionalText, OptionReload.Live)
        .Add("OnceOnly", o => o.OnceOnly, (o, v) => o.OnceOnly = v, OptionKind.Boolean, OptionReload.NextStart)
        .Add("Password", o => o.Password, (o, v) => o.Password = v, OptionKind.OptionalText, OptionReload.Rebuild)
        .Check("Password", o => o.Password == "guess" ? "is too easy" : null);

    private static void Resolve(ProbeOptions options, InstanceResolution resolution)
    {
        string text = options.Path ?? options.ParentPath ?? "logs/{ApplicationName}.log";
        string suffix = options.Path is null && !resolution.IsDefault ? "-" + resolution.Instance : "";
        if (resolution.ExpandPath(text) is { } path)
        {
            options.ResolvedPath = System.IO.Path.Combine(
                System.IO.Path.GetDirectoryName(path)!,
                System.IO.Path.GetFileNameWithoutExtension(path) + suffix + System.IO.Path.GetExtension(path));
        }
    }
}
