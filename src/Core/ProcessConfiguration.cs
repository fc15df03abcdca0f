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

    /// <summary>The names of the options.</summary>
    public static IReadOnlyCollection<string> KeyNames { get; } = [.. TableOf().Keys.Select(static key => key.Name)];

    private readonly IConfiguration _section;
    private readonly IReadOnlyList<IConfigureOptions<AsyncLogOptions>> _configure;
    private readonly IReadOnlyList<IPostConfigureOptions<AsyncLogOptions>> _postConfigure;
    private readonly OptionsTable<AsyncLogOptions> _table = TableOf();

    // Keeps the reloads of several providers apart; nobody else takes it. What was read is replaced as a whole.
    private readonly Lock _reloading = new();
    private volatile ProcessReading _last;

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
        _last = Read();
        Options = _last.Options;
    }

    /// <summary>The options as they were at start.</summary>
    public AsyncLogOptions Options { get; }

    /// <summary>What is wrong now.</summary>
    public IReadOnlyList<ConfigurationProblem> Problems => _last.Problems;

    /// <summary>The unknown keys of now.</summary>
    public IReadOnlyList<UnknownKey> UnknownKeys => _last.UnknownKeys;

    public IChangeToken GetReloadToken() => _section.GetReloadToken();

    /// <summary>Reads everything again. Of several providers that do so after an edit, the first one gets the change.</summary>
    public ProcessChange Reload()
    {
        lock (_reloading)
        {
            ProcessReading old = _last;
            ProcessReading now = ReadAgain(old);
            _last = now;
            return new ProcessChange(
                now.Options.SelfReport == old.Options.SelfReport ? null : now.Options.SelfReport,
                [.. now.Problems.Except(old.Problems)],
                [.. now.UnknownKeys.Except(old.UnknownKeys)],
                [.. _table.Compare(old.Options, now.Options)
                    .Where(static key => key.Reload == OptionReload.NextStart)
                    .Select(static key => $"{SectionName}:{key.Name}")]);
        }
    }

    // One mistake keeps all that was good before, as it does in an instance.
    private ProcessReading ReadAgain(ProcessReading last)
    {
        try
        {
            ProcessReading candidate = Read();
            return candidate.Problems.Count == 0 ? candidate : candidate with { Options = last.Options };
        }
        catch (Exception exception)
        {
            // Delegates of the application run in there; at start the same exception would have ended the start.
            return last with { Problems = [ConfigurationProblem.Unreadable(SectionName, exception)] };
        }
    }

    private ProcessReading Read()
    {
        OptionsReadLog log = new();
        AsyncLogOptions options = new();
        _table.Read(_section, SectionName, OptionLayer.ParentSection, options, log);
        foreach (IConfigureOptions<AsyncLogOptions> configure in _configure)
        {
            configure.Configure(options);
        }

        foreach (IPostConfigureOptions<AsyncLogOptions> configure in _postConfigure)
        {
            configure.PostConfigure(Microsoft.Extensions.Options.Options.DefaultName, options);
        }

        return new ProcessReading(options, log.Problems, log.UnknownKeys);
    }

    private static OptionsTable<AsyncLogOptions> TableOf()
    {
        OptionsTable<AsyncLogOptions> table = new();
        AddSwitch(table, nameof(AsyncLogOptions.Strict), o => o.Strict, (o, v) => o.Strict = v);
        AddSwitch(table, nameof(AsyncLogOptions.FlushOnCrash), o => o.FlushOnCrash, (o, v) => o.FlushOnCrash = v);
        AddSwitch(table, nameof(AsyncLogOptions.FlushOnSignal), o => o.FlushOnSignal, (o, v) => o.FlushOnSignal = v);
        AddSwitch(table, nameof(AsyncLogOptions.StartupReport), o => o.StartupReport, (o, v) => o.StartupReport = v);
        table.Add(nameof(AsyncLogOptions.SelfReport), o => o.SelfReport, (o, v) => o.SelfReport = v, OptionKind.Choice<SelfReportLevel>(), OptionReload.Live);
        return table;
    }

    private static void AddSwitch(
        OptionsTable<AsyncLogOptions> table, string key, Func<AsyncLogOptions, bool> get, Action<AsyncLogOptions, bool> set) =>
        table.Add(key, get, set, OptionKind.Boolean, OptionReload.NextStart);

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
