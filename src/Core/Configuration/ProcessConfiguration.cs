using System.Collections;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Options;
using Microsoft.Extensions.Primitives;

namespace AsyncLog;

/// <summary>Reads the process-wide options: root section <c>AsyncLog</c>, else environment variables; then code.</summary>
internal sealed class ProcessConfiguration
{
    private const string SectionName = "AsyncLog";
    private const string VariablePrefix = SectionName + "__";

    private readonly IConfiguration _section;
    private readonly IReadOnlyList<IConfigureOptions<AsyncLogOptions>> _configure;
    private readonly IReadOnlyList<IPostConfigureOptions<AsyncLogOptions>> _postConfigure;
    private readonly KeyTable<AsyncLogOptions> _table = TableOf();

    public ProcessConfiguration(
        IConfiguration? configuration,
        IEnumerable<IConfigureOptions<AsyncLogOptions>> configure,
        IEnumerable<IPostConfigureOptions<AsyncLogOptions>> postConfigure,
        IDictionary? variables = null)
    {
        _section = configuration is null
            ? FromEnvironment(variables ?? Environment.GetEnvironmentVariables())
            : configuration.GetSection(SectionName);
        _configure = [.. configure];
        _postConfigure = [.. postConfigure];
        LayerLog<AsyncLogOptions> log = new();
        Options = Read(log);
        Problems = log.Problems;
        UnknownKeys = log.UnknownKeys;
    }

    /// <summary>The options as they were at start.</summary>
    public AsyncLogOptions Options { get; }

    public IReadOnlyList<ConfigurationProblem> Problems { get; }

    public IReadOnlyList<UnknownKey> UnknownKeys { get; }

    public IChangeToken GetReloadToken() => _section.GetReloadToken();

    /// <summary>The level of the self-report as configuration and code say now; as it was at start while that is not readable.</summary>
    public SelfReportLevel CurrentSelfReport()
    {
        LayerLog<AsyncLogOptions> log = new();
        AsyncLogOptions options = Read(log);
        return log.Problems.Count == 0 ? options.SelfReport : Options.SelfReport;
    }

    private AsyncLogOptions Read(LayerLog<AsyncLogOptions> log)
    {
        AsyncLogOptions options = new();
        SectionReader.Read(_section, SectionName, OptionLayer.ParentSection, options, _table, log);
        foreach (IConfigureOptions<AsyncLogOptions> configure in _configure)
        {
            configure.Configure(options);
        }

        foreach (IPostConfigureOptions<AsyncLogOptions> configure in _postConfigure)
        {
            configure.PostConfigure(Microsoft.Extensions.Options.Options.DefaultName, options);
        }

        return options;
    }

    private static KeyTable<AsyncLogOptions> TableOf()
    {
        KeyTable<AsyncLogOptions> table = new();
        AddSwitch(table, nameof(AsyncLogOptions.Strict), o => o.Strict, (o, v) => o.Strict = v);
        AddSwitch(table, nameof(AsyncLogOptions.FlushOnCrash), o => o.FlushOnCrash, (o, v) => o.FlushOnCrash = v);
        AddSwitch(table, nameof(AsyncLogOptions.FlushOnSignal), o => o.FlushOnSignal, (o, v) => o.FlushOnSignal = v);
        AddSwitch(table, nameof(AsyncLogOptions.StartupReport), o => o.StartupReport, (o, v) => o.StartupReport = v);
        table.Add(new ScalarKey<AsyncLogOptions, SelfReportLevel>(
            nameof(AsyncLogOptions.SelfReport), OptionReload.Live, o => o.SelfReport, (o, v) => o.SelfReport = v, ScalarForms.Enum<SelfReportLevel>()));
        return table;
    }

    private static void AddSwitch(
        KeyTable<AsyncLogOptions> table, string key, Func<AsyncLogOptions, bool> get, Action<AsyncLogOptions, bool> set) =>
        table.Add(new ScalarKey<AsyncLogOptions, bool>(key, OptionReload.NextStart, get, set, ScalarForms.Switch));

    private static IConfigurationRoot FromEnvironment(IDictionary variables)
    {
        Dictionary<string, string?> values = new(StringComparer.OrdinalIgnoreCase);
        foreach (DictionaryEntry variable in variables)
        {
            string name = (string)variable.Key;
            if (name.StartsWith(VariablePrefix, StringComparison.OrdinalIgnoreCase))
            {
                values[name[VariablePrefix.Length..].Replace("__", ConfigurationPath.KeyDelimiter, StringComparison.Ordinal)] = (string?)variable.Value;
            }
        }

        return new ConfigurationBuilder().AddInMemoryCollection(values).Build();
    }
}
