using System.Reflection;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Architecture.Options;

/// <summary>The options of one configuration section, read from the table that the product reads it with.</summary>
internal sealed class OptionReference
{
    private static readonly XmlDocs Docs = new("AsyncLog", "AsyncLog.Sinks.File", "AsyncLog.Sinks.Console", "AsyncLog.Sinks.Syslog", "AsyncLog.Sinks.Otlp", "AsyncLog.AspNetCore");

    private readonly Func<IConfiguration, (IEnumerable<string> Problems, IEnumerable<string> Unknown)> _read;

    private OptionReference(Func<IConfiguration, (IEnumerable<string> Problems, IEnumerable<string> Unknown)> read) => _read = read;

    /// <summary>The process-wide section, that of requests, then those of the sinks.</summary>
    public static IReadOnlyList<OptionReference> All { get; } =
    [
        Plain("AsyncLog", ProcessSection.Name, ProcessSection.Table, ProcessSection.Requests),
        Plain("AsyncLog.AspNetCore", AsyncLogRequestOptions.Section, AsyncLogRequestOptions.Table),
        Sink<AsyncFileLoggerOptions>("AsyncLog.Sinks.File", static logging => logging.AddAsyncFile()),
        Sink<AsyncConsoleLoggerOptions>("AsyncLog.Sinks.Console", static logging => logging.AddAsyncConsole()),
        Sink<AsyncSyslogLoggerOptions>("AsyncLog.Sinks.Syslog", static logging => logging.AddAsyncSyslog()),
        Sink<AsyncOtlpLoggerOptions>("AsyncLog.Sinks.Otlp", static logging => logging.AddAsyncOtlp()),
    ];

    public required string Package { get; init; }

    /// <summary>Its path in the configuration: <c>Logging:AsyncFile</c>.</summary>
    public required string Section { get; init; }

    /// <summary>The key of the named instances; null: there are none.</summary>
    public string? ChildrenKey { get; init; }

    /// <summary>The key of a section of another package; null: there is none.</summary>
    public string? ForeignKey { get; init; }

    public required Type OptionsType { get; init; }

    public required IReadOnlyList<OptionRow> Rows { get; init; }

    public string Summary => Docs.Summary(OptionsType);

    /// <summary>The problems and unknown keys that the product reports for a section.</summary>
    public (IEnumerable<string> Problems, IEnumerable<string> Unknown) Read(IConfiguration section) => _read(section);

    /// <summary>The description of a section inside the options: <c>Tls</c>.</summary>
    public string SummaryOf(string key) => Docs.Summary(PropertyOf(OptionsType, key));

    // No sink's: one object, without instances.
    private static OptionReference Plain<TOptions>(string package, string section, OptionsTable<TOptions> table, string? foreignKey = null)
        where TOptions : new()
    {
        return new OptionReference(configured => Verdict(table, configured, new TOptions(), foreignKey))
        {
            Package = package,
            Section = section,
            ForeignKey = foreignKey,
            OptionsType = typeof(TOptions),
            Rows = [.. RowsOf(table, new TOptions())],
        };
    }

    private static OptionReference Sink<TOptions>(string package, Action<ILoggingBuilder> add)
        where TOptions : SinkOptions, new()
    {
        using var services = new ServiceCollection().AddLogging(add).BuildServiceProvider();
        var configuration = services.GetRequiredService<SinkServices<TOptions>>().Configuration;
        var table = configuration.Table;
        return new OptionReference(section => Verdict(table, section, new TOptions(), configuration.Names.ChildrenKey))
        {
            Package = package,
            Section = configuration.Names.Section,
            ChildrenKey = configuration.Names.ChildrenKey,
            OptionsType = typeof(TOptions),
            Rows = [.. RowsOf(table, new TOptions())],
        };
    }

    private static (IEnumerable<string> Problems, IEnumerable<string> Unknown) Verdict<TOptions>(OptionsTable<TOptions> table, IConfiguration section, TOptions options, string? childrenKey)
    {
        var log = new OptionsReadLog();
        table.Read(section, "", OptionLayer.ParentSection, options, log, childrenKey);
        return (log.Problems.Select(static problem => problem.ToString()), log.UnknownKeys.Select(static key => key.Path));
    }

    private static IEnumerable<OptionRow> RowsOf<TOptions>(OptionsTable<TOptions> table, TOptions defaults)
    {
        foreach (var key in table.Keys)
        {
            var property = PropertyOf(typeof(TOptions), key.Name);
            yield return new OptionRow
            {
                Key = key.Name,
                Form = key.Form,
                Reload = key.Reload,
                IsCommon = table.IsCommon(key),
                Default = key.Show(defaults) is { Length: > 0 } shown ? shown : null,
                Conditions = [.. table.Conditions.Where(condition => condition.Key == key.Name).Select(static condition => condition.Rule).Distinct(StringComparer.Ordinal)],
                Summary = Docs.Summary(property),
                Value = Docs.Value(property),
                Remarks = Docs.Remarks(property),
                Words = key.Form is { Kind: OptionFormKind.Choice, Type: { Namespace: nameof(AsyncLog) } type }
                    ? [.. key.Form.Words.Select(word => (word, Docs.Summary(type, word)))]
                    : [],
            };
        }
    }

    private static PropertyInfo PropertyOf(Type type, string key)
    {
        var names = key.Split(':');
        foreach (var section in names[..^1])
            type = type.GetProperty(section)!.PropertyType;
        var property = type.GetProperty(names[^1])!;

        // An override has the documentation of what it overrides.
        return property.DeclaringType!.GetProperty(property.Name, BindingFlags.Public | BindingFlags.Instance | BindingFlags.DeclaredOnly)!;
    }
}

/// <summary>One option of a section.</summary>
internal sealed record OptionRow
{
    /// <summary>Its key below the section: <c>Tls:CaFile</c>.</summary>
    public required string Key { get; init; }

    public required OptionForm Form { get; init; }

    public required OptionReload Reload { get; init; }

    /// <summary>True if every sink has it.</summary>
    public required bool IsCommon { get; init; }

    /// <summary>The default as configuration would say it; null: none.</summary>
    public required string? Default { get; init; }

    /// <summary>The rules that allow it beside certain values of other options only.</summary>
    public required IReadOnlyList<string> Conditions { get; init; }

    public required string Summary { get; init; }

    public required string Value { get; init; }

    public required string Remarks { get; init; }

    /// <summary>The words of a choice and what each means.</summary>
    public required IReadOnlyList<(string Word, string Meaning)> Words { get; init; }
}
