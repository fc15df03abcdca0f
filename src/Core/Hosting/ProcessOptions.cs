using System.Collections;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Microsoft.Extensions.Primitives;

namespace AsyncLog;

/// <summary>The process-wide options: root section <c>AsyncLog</c>, else environment variables; then code.</summary>
/// <remarks>The options pipeline reads them, with <see cref="ProcessSection"/> first. A reload that finds a mistake keeps all that was good before;
/// <see cref="IOptionsMonitor{TOptions}"/> is notified only of good ones, because an exception in its change token would surface on the configuration's thread.</remarks>
internal sealed class ProcessOptions : IOptionsChangeTokenSource<AsyncLogOptions>
{
    private readonly ProcessSection _section;
    private readonly IOptionsFactory<AsyncLogOptions> _factory;

    // Serializes the reloads of several providers. The values read are replaced as a whole.
    private readonly Lock _reloading = new();
    private volatile Reading _last;
    private ConfigurationReloadToken _changed = new();

    public ProcessOptions(ProcessSection section, IOptionsFactory<AsyncLogOptions> factory)
    {
        _section = section;
        _factory = factory;
        _last = Read();
        AtStart = _last.Options;
    }

    public string Name => Options.DefaultName;

    /// <summary>The options as they were at start.</summary>
    public AsyncLogOptions AtStart { get; }

    /// <summary>Current configuration problems.</summary>
    public IReadOnlyList<ConfigurationProblem> Problems => _last.Problems;

    /// <summary>Current unknown keys.</summary>
    public IReadOnlyList<UnknownKey> UnknownKeys => _last.UnknownKeys;

    public IChangeToken GetChangeToken() => Volatile.Read(ref _changed);

    /// <summary>Reads everything again. Of several providers that do so after an edit, the first one gets the change.</summary>
    public ProcessChange Reload()
    {
        lock (_reloading)
        {
            var old = _last;
            var now = ReadAgain(old);
            _last = now;
            return new ProcessChange(
                now.Options.SelfReportLevel == old.Options.SelfReportLevel ? null : now.Options.SelfReportLevel,
                [.. now.Problems.Except(old.Problems)],
                [.. now.UnknownKeys.Except(old.UnknownKeys)],
                [.. ProcessSection.Table.Compare(old.Options, now.Options)
                    .Where(static key => key.Reload == OptionReload.NextStart)
                    .Select(static key => $"{ProcessSection.Name}:{key.Name}")]);
        }
    }

    /// <summary>Makes <see cref="IOptionsMonitor{TOptions}"/> read again after a valid change. Its listeners may throw.</summary>
    public void NotifyMonitor() => Interlocked.Exchange(ref _changed, new ConfigurationReloadToken()).OnReload();

    private Reading ReadAgain(Reading last)
    {
        try
        {
            var candidate = Read();
            if (_section.CheckFiles() is { } problem)
                return last with { Problems = [problem] };
            return candidate.Problems.Count == 0 ? candidate : candidate with { Options = last.Options };
        }
        catch (Exception exception)
        {
            // Delegates of the application run in there; at start the same exception would have ended the start.
            return last with { Problems = [ConfigurationProblem.Unreadable(ProcessSection.Name, exception)] };
        }
    }

    private Reading Read()
    {
        _section.Renew();
        var log = _section.Read(new AsyncLogOptions());
        return new Reading(_factory.Create(Name), log.Problems, log.UnknownKeys);
    }

    /// <param name="Options">The options; the last good ones when something is wrong.</param>
    private sealed record Reading(AsyncLogOptions Options, IReadOnlyList<ConfigurationProblem> Problems, IReadOnlyList<UnknownKey> UnknownKeys);
}

/// <summary>Changes made by a reload to the process-wide options.</summary>
/// <param name="SelfReport">The new level of the self-report; null when it stays.</param>
/// <param name="NewUnknownKeys">Unknown keys that were not there before.</param>
/// <param name="NextStartKeys">The full paths of changed options that take effect at the next start.</param>
internal sealed record ProcessChange(
    LogLevel? SelfReport,
    IReadOnlyList<ConfigurationProblem> NewProblems,
    IReadOnlyList<UnknownKey> NewUnknownKeys,
    IReadOnlyList<string> NextStartKeys)
{
    public bool IsEmpty => SelfReport is null && NewProblems.Count == 0 && NewUnknownKeys.Count == 0 && NextStartKeys.Count == 0;
}

/// <summary>Sets the process-wide options from their section. It leaves values out that are not valid; <see cref="Read"/> reports them.</summary>
/// <param name="configuration">The application's configuration; null: the environment is read.</param>
/// <param name="variables">The environment; null: that of the process.</param>
internal sealed class ProcessSection(IConfiguration? configuration, IDictionary? variables = null) : IConfigureOptions<AsyncLogOptions>
{
    public const string Name = "AsyncLog";

    /// <summary>The key of the section that belongs to the logging of requests.</summary>
    public const string Requests = "Requests";
    private const string VariablePrefix = Name + "__";

    private readonly IConfiguration _live =
        configuration is null ? FromEnvironment(variables ?? Environment.GetEnvironmentVariables()) : configuration.GetSection(Name);
    private readonly SettingsFiles _files = new(configuration);
    private IConfiguration? _section;

    public static OptionsTable<AsyncLogOptions> Table { get; } = new OptionsTable<AsyncLogOptions>()
        // NLog: throwConfigExceptions.
        .Add(nameof(AsyncLogOptions.Strict), static o => o.Strict, static (o, v) => o.Strict = v, OptionKind.Boolean, OptionReload.NextStart)
        // NLog: autoShutdown.
        .Add(nameof(AsyncLogOptions.FlushOnCrash), static o => o.FlushOnCrash, static (o, v) => o.FlushOnCrash = v, OptionKind.Boolean, OptionReload.NextStart)
        // Two deployments differ: a service wants the line, a command-line tool does not.
        .Add(nameof(AsyncLogOptions.StartupReport), static o => o.StartupReport, static (o, v) => o.StartupReport = v, OptionKind.Boolean, OptionReload.NextStart)
        // Two deployments differ: /dev/shm of a container often has 64 MB.
        .Add(nameof(AsyncLogOptions.CrashBufferPath), static o => o.CrashBufferPath, static (o, v) => o.CrashBufferPath = v, OptionKind.OptionalText, OptionReload.NextStart)
        .Check(nameof(AsyncLogOptions.CrashBufferPath), static o => o.CrashBufferPath is { } path && (!Path.IsPathRooted(path) || path.Contains('\0')) ? "must be an absolute path" : null)
        // NLog: internalLogLevel.
        .Add(nameof(AsyncLogOptions.SelfReportLevel), static o => o.SelfReportLevel, static (o, v) => o.SelfReportLevel = v, OptionKind.Level, OptionReload.Live);

    public IChangeToken GetReloadToken() => _live.GetReloadToken();

    /// <summary>Takes the values that are read from now on. The live section may change between keys and values, and between two readings.</summary>
    public void Renew() => _section = ConfigurationSnapshot.Copy(_live);

    /// <summary>Checks the settings files after a reading; see <see cref="SettingsFiles.Check"/>.</summary>
    public ConfigurationProblem? CheckFiles() => _files.Check();

    public void Configure(AsyncLogOptions options) => Read(options);

    /// <summary>Sets the options and returns the problems.</summary>
    public OptionsReadLog Read(AsyncLogOptions options)
    {
        OptionsReadLog log = new();
        Table.Read(_section ?? _live, Name, OptionLayer.ParentSection, options, log, Requests);
        return log;
    }

    private static IConfigurationRoot FromEnvironment(IDictionary variables)
    {
        Dictionary<string, string?> values = new(StringComparer.OrdinalIgnoreCase);
        foreach (DictionaryEntry variable in variables)
        {
            var name = (string)variable.Key;
            if (name.StartsWith(VariablePrefix, StringComparison.OrdinalIgnoreCase))
                values[name[VariablePrefix.Length..].Replace("__", ConfigurationPath.KeyDelimiter, StringComparison.Ordinal)] = (string?)variable.Value;
        }

        return new ConfigurationBuilder().AddInMemoryCollection(values).Build();
    }
}
