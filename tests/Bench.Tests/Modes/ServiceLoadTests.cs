using System.Diagnostics;
using System.Text.RegularExpressions;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Modes;

public sealed partial class ServiceLoadTests
{
    [Fact]
    public void A_turn_has_120_places_with_the_shares_of_a_service()
    {
        var records = Records(static logger =>
        {
            for (var n = 0; n < 120; n++)
                ServiceCalls.Next(logger, n);
        });

        Assert.Equal(120, records.Select(static record => record.Template).Distinct().Count());
        Assert.Equal(2, records.Count(static record => record.Values.Length == 0 && record.Template.Any(char.IsAsciiDigit)));
        Assert.Equal(36, records.Count(static record => record.Values.Length == 0 && !record.Template.Any(char.IsAsciiDigit)));
        Assert.Equal(6, records.Count(static record => record.Values.Contains(null)));
        Assert.Equal(12, records.Count(static record => Format().IsMatch(record.Template)));
        Assert.Equal(12, records.Count(static record => (record.Template + string.Concat(record.Values)).Any(static character => !char.IsAscii(character))));
        Assert.Equal(4, records.Count(static record => record.Values.Length == 7));
        Assert.DoesNotContain(records, static record => record.Values.Length is 4 or 5 or 6 or > 7);
    }

    [Fact]
    public void Two_turns_have_the_same_places_in_the_same_order()
    {
        var templates = Records(static logger =>
        {
            for (var n = 0; n < 240; n++)
                ServiceCalls.Next(logger, n);
        }).Where(static record => record.Values.Length > 0).Select(static record => record.Template).ToList();

        Assert.Equal(2 * 82, templates.Count);
        Assert.Equal(templates.Take(82), templates.Skip(82));
    }

    [Fact]
    public void A_request_has_the_scopes_of_ASP_NET_Core_outside_in_and_ends_with_them()
    {
        var recorder = new Recorder();
        using var host = new LoggerHost(recorder, isService: true);
        using (ServiceRequest.Begin(host.Logger, 7, hasOwnScope: true))
        {
            Assert.Equal(["ActivityLogScope", "ConnectionLogScope", "HostingLogScope", "FormattedLogValues"], recorder.Scopes());
            Assert.NotNull(Activity.Current);
        }

        Assert.Equal([], recorder.Scopes());
        Assert.Null(Activity.Current);
    }

    [Fact]
    public void Every_await_is_a_change_of_thread_in_the_same_context()
    {
        var text = new AsyncLocal<string>();
        var seen = TwoThreads.Run(async threads =>
        {
            text.Value = "kept";
            List<(int Thread, string? Text)> seen = [];
            for (var hop = 0; hop < 4; hop++)
            {
                seen.Add((Environment.CurrentManagedThreadId, text.Value));
                await threads;
            }

            return seen;
        });

        var (first, second) = (seen[0].Thread, seen[1].Thread);
        Assert.NotEqual(first, second);
        Assert.Equal([(first, "kept"), (second, "kept"), (first, "kept"), (second, "kept")], seen);
    }

    [Fact]
    public void A_request_has_one_first_record_two_after_a_change_of_thread_and_seven_later_ones()
    {
        var cost = new RequestCost();
        for (var request = 0; request < 3; request++)
        {
            cost.Begin();
            cost.Add(Ticks(900, 100, 100, 100), isHop: false);
            cost.Add(Ticks(300, 100, 100), isHop: true);
            cost.Add(Ticks(300, 100, 100), isHop: true);
            cost.End(8);
        }

        Assert.Equal(
            [("bytes", 8.0), ("first", 900.0), ("hopped", 300.0), ("later", 100.0), ("ten", 2200.0)],
            cost.Values().OrderBy(static value => value.Key, StringComparer.Ordinal).Select(static value => (value.Key, Math.Round(value.Value))));
    }

    private static long[] Ticks(params long[] nanoseconds) => [.. nanoseconds.Select(static time => time * Stopwatch.Frequency / 1_000_000_000)];

    private static List<(string Template, object?[] Values)> Records(Action<ILogger> log)
    {
        var recorder = new Recorder();
        using (var host = new LoggerHost(recorder))
            log(host.Logger);
        return recorder.Records;
    }

    [GeneratedRegex(@"\{\w+[,:]", RegexOptions.None, 1_000)]
    private static partial Regex Format();

    private sealed class Recorder : ILibrary, ILoggerProvider, ILogger, ISupportExternalScope
    {
        private IExternalScopeProvider? _scopes;

        public List<(string Template, object?[] Values)> Records { get; } = [];

        public void AddTo(ILoggingBuilder builder) => builder.AddProvider(this);

        public ILogger CreateLogger(string categoryName) => this;

        public void SetScopeProvider(IExternalScopeProvider scopeProvider) => _scopes = scopeProvider;

        public List<string> Scopes()
        {
            List<string> names = [];
            _scopes!.ForEachScope(static (scope, names) => names.Add(scope!.GetType().Name), names);
            return names;
        }

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
        {
            var pairs = (IReadOnlyList<KeyValuePair<string, object?>>)state!;
            Records.Add(((string)pairs[^1].Value!, [.. pairs.SkipLast(1).Select(static pair => pair.Value)]));
        }

        public void Dispose()
        {
            // holds nothing
        }
    }
}
