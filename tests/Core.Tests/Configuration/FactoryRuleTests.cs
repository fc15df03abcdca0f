using System.Globalization;
using FsCheck;
using FsCheck.Fluent;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Configuration;

/// <summary>What reaches an instance through the real logger factory, against the rules computed one by one.</summary>
public sealed class FactoryRuleTests
{
    private static readonly string[] Keys = ["Default", "A", "AB", "ABC", "B", "A*C", "*C", "A*", "B*B", "abc.d"];
    private static readonly string[] Categories = ["A", "AB", "ABC", "ABCC", "AXC", "ABC.D", "B", "BAB", "C", "Z"];
    private static readonly LogLevel[] Levels = [.. Enum.GetValues<LogLevel>().Where(level => level != LogLevel.None)];

    private static readonly Gen<(string Key, LogLevel Level)[]> Map =
        Gen.ArrayOf(Gen.Elements(Keys).SelectMany(key => Gen.Elements(Enum.GetValues<LogLevel>()).Select(level => (key, level))))
            .Select(entries => entries.DistinctBy(entry => entry.key, StringComparer.OrdinalIgnoreCase).Take(4).ToArray());

    // Levels as a configuration may write them: by name in any case, or by number.
    private static readonly Gen<(string Key, string Level)[]> TextMap =
        from map in Map
        from forms in Gen.ArrayOf(Gen.Elements(0, 1, 2), 4)
        select map.Select((entry, index) => (entry.Key, forms[index] switch
        {
            0 => entry.Level.ToString(),
            1 => entry.Level.ToString().ToLowerInvariant(),
            _ => ((int)entry.Level).ToString(CultureInfo.InvariantCulture),
        })).ToArray();

    private static readonly Gen<CodeRule> Rule =
        from key in Gen.Elements(Keys)
        from level in Gen.Elements(Enum.GetValues<LogLevel>())
        from isScoped in Gen.Elements(true, false)
        from odd in Gen.Elements(0, 0, 0, 1, 2)
        select new CodeRule(key == "Default" ? null : key, level, isScoped, odd);

    private static readonly Gen<Case> Cases =
        from factory in Map
        from provider in Map
        from a in Map
        from b in Map
        from hasMax in Gen.Elements(false, false, true)
        from rules in Gen.ListOf(Rule, 3)
        from withRules in Gen.Elements(true, false)
        select new Case(factory, provider, a, b, hasMax ? LogLevel.Error : null, withRules ? [.. rules] : []);

    [Fact]
    public void What_reaches_an_instance_is_what_the_rules_say() =>
        Prop.ForAll(Cases.ToArbitrary(), AgreesWithTheModel).Check(Config.QuickThrowOnFailure.WithMaxTest(400));

    [Fact]
    public void What_reaches_a_sink_without_levels_of_its_instances_is_what_the_logger_factory_alone_lets_through() =>
        Prop.ForAll<(string Key, string Level)[], (string Key, string Level)[]>(TextMap.ToArbitrary(), TextMap.ToArbitrary(), AgreesWithTheFactory)
            .Check(Config.QuickThrowOnFailure.WithMaxTest(300));

    [Fact]
    public void What_reaches_an_instance_after_a_reload_is_what_the_new_rules_say() =>
        Prop.ForAll(Cases.ToArbitrary(), Cases.ToArbitrary(), AgreesAfterAReload).Check(Config.QuickThrowOnFailure.WithMaxTest(200));

    private static void AgreesWithTheModel(Case test)
    {
        using ProbeFactory factory = new(test.Configuration(), test.AddRules);
        AssertAgrees(factory, test);
    }

    private static void AgreesWithTheFactory((string Key, string Level)[] factoryLevels, (string Key, string Level)[] providerLevels)
    {
        List<(string Key, string? Value)> configuration =
        [
            .. factoryLevels.Select(entry => ($"Logging:LogLevel:{entry.Key}", (string?)entry.Level)),
            .. providerLevels.Select(entry => ($"Logging:AsyncProbe:LogLevel:{entry.Key}", (string?)entry.Level)),
        ];
        using ProbeFactory probe = new(configuration);
        using PlainProvider plain = new();
        using ILoggerFactory factory = LoggerFactory.Create(builder => builder.AddConfiguration(probe.Source.GetSection("Logging")).AddProvider(plain));
        foreach (string category in Categories)
        {
            foreach (LogLevel level in Levels)
            {
                plain.Count = 0;
                factory.CreateLogger(category).Log(level, "x");
                Assert.Equal((category, level, plain.Count), (category, level, probe.Log(category, level).Length));
            }
        }
    }

    private static void AgreesAfterAReload(Case before, Case after)
    {
        after = after with { Rules = before.Rules };
        using ProbeFactory factory = new(before.Configuration(), before.AddRules);
        AssertAgrees(factory, before);
        factory.EditAndApply([.. before.Configuration().Select(pair => (pair.Key, (string?)null)).Concat(after.Configuration())]);
        AssertAgrees(factory, after);
    }

    private static void AssertAgrees(ProbeFactory factory, Case test)
    {
        foreach (string category in Categories)
        {
            foreach (LogLevel level in Levels)
            {
                Assert.Equal((category, level, string.Join(' ', test.Expected(category, level))), (category, level, string.Join(' ', factory.Log(category, level))));
            }
        }
    }

    /// <summary>A provider that knows no levels: what it counts is what the logger factory lets through to its section.</summary>
    [ProviderAlias("AsyncProbe")]
    internal sealed class PlainProvider : ILoggerProvider, ILogger
    {
        public int Count { get; set; }

        public ILogger CreateLogger(string categoryName) => this;

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter) => Count++;

        public void Dispose()
        {
        }
    }

    /// <summary>A rule of <c>AddFilter</c>; <c>Odd</c>: 0 a level, 1 a delegate, 2 both.</summary>
    internal sealed record CodeRule(string? Category, LogLevel Level, bool IsScoped, int Odd)
    {
        public LoggerFilterRule ToRule() => new(
            IsScoped ? typeof(ProbeProvider).FullName : null, Category, Odd == 1 ? null : Level, Odd == 0 ? null : (_, category, level) => Passes(category!, level));

        public static bool Passes(string category, LogLevel level) => (category.Length + (int)level) % 3 != 0;
    }

    internal sealed record Case(
        (string Key, LogLevel Level)[] Factory, (string Key, LogLevel Level)[] Provider, (string Key, LogLevel Level)[] A, (string Key, LogLevel Level)[] B, LogLevel? MaxOfB, CodeRule[] Rules)
    {
        public override string ToString() =>
            $"factory {Show(Factory)} provider {Show(Provider)} a {Show(A)} b {Show(B)} max of b {MaxOfB} code {string.Join<CodeRule>(", ", Rules)}";

        public List<(string Key, string? Value)> Configuration() =>
        [
            .. Section("Logging:LogLevel", Factory),
            .. Section("Logging:AsyncProbe:LogLevel", Provider),
            .. Section("Logging:AsyncProbe:Files:a:LogLevel", A),
            .. Section("Logging:AsyncProbe:Files:b:LogLevel", B),
            ("Logging:AsyncProbe:Files:a:Mode", "600"),
            ("Logging:AsyncProbe:Files:b:Mode", "600"),
            .. MaxOfB is null ? Array.Empty<(string, string?)>() : [("Logging:AsyncProbe:Files:b:MaxLevel", MaxOfB.ToString())],
        ];

        public void AddRules(ILoggingBuilder builder) => builder.Services.Configure<LoggerFilterOptions>(options =>
        {
            foreach (CodeRule rule in Rules)
            {
                options.Rules.Add(rule.ToRule());
            }
        });

        public IEnumerable<string> Expected(string category, LogLevel level)
        {
            Entry? chosen = Best([.. Before().Where(entry => entry.IsScoped)], category) ?? Best([.. Before().Where(entry => !entry.IsScoped)], category);
            bool passes = chosen?.Rule is not { Odd: > 0 } || CodeRule.Passes(category, level);
            LogLevel factory = chosen is null ? LogLevel.Information : chosen.Rule is { Odd: 1 } ? LogLevel.Trace : chosen.Level;
            bool anyOwn = A.Length + B.Length > 0;
            LogLevel inherited = (anyOwn ? Best(Entries(Provider, true), category)?.Level : null) ?? factory;
            if (passes && level >= (Best(Entries(A, true), category)?.Level ?? inherited))
            {
                yield return "a";
            }

            if (passes && level >= (Best(Entries(B, true), category)?.Level ?? inherited) && level <= (MaxOfB ?? LogLevel.Critical))
            {
                yield return "b";
            }
        }

        // Rules in the order in which the factory sees them: configuration, then code. The factory reads the keys of a section backwards, and
        // the last of equally long keys wins. Its own minimum is the default of AddLogging.
        private IEnumerable<Entry> Before() =>
            Entries(Provider, true).Concat(Entries(Factory, false)).Concat(Rules.Select(rule => new Entry(rule.Category, rule.Level, rule.IsScoped, rule)));

        private static List<Entry> Entries((string Key, LogLevel Level)[] map, bool isScoped) =>
            [.. map.OrderByDescending(entry => entry.Key, Microsoft.Extensions.Configuration.ConfigurationKeyComparer.Instance)
                .Select(entry => new Entry(entry.Key == "Default" ? null : entry.Key, entry.Level, isScoped, null))];

        private static Entry? Best(List<Entry> entries, string category) => entries
            .Where(entry => entry.Category is null || Covers(entry.Category, category))
            .Select((entry, index) => (entry, index))
            .OrderBy(pair => pair.entry.Category?.Length ?? -1)
            .ThenBy(pair => pair.index)
            .Select(pair => pair.entry)
            .LastOrDefault();

        private static bool Covers(string key, string category)
        {
            string[] parts = key.Split('*');
            return category.StartsWith(parts[0], StringComparison.OrdinalIgnoreCase) && (parts.Length == 1 || category.EndsWith(parts[1], StringComparison.OrdinalIgnoreCase));
        }

        private static string Show((string Key, LogLevel Level)[] map) => $"[{string.Join(", ", map)}]";

        private static IEnumerable<(string, string?)> Section(string path, (string Key, LogLevel Level)[] map) =>
            map.Select(entry => ($"{path}:{entry.Key}", (string?)entry.Level.ToString()));

        private sealed record Entry(string? Category, LogLevel Level, bool IsScoped, CodeRule? Rule);
    }
}
