using System.Diagnostics;
using System.Text;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Capture;

public sealed class ScopeTests
{
    private readonly CapturingLogger _logger = new();
    private readonly List<string> _scopes = [];

    public ScopeTests() => _logger.Look = logEvent =>
    {
        _scopes.Clear();
        for (var i = 0; i < logEvent.ScopeCount; i++)
            _scopes.Add(Describe(logEvent.GetScope(i)));
    };

    [Fact]
    public void Scopes_are_told_from_the_outermost_inwards()
    {
        using var outer = _logger.BeginScope("plain");
        using var middle = _logger.BeginScope("Order {Id} of {Name,6}", 42, "Zo\u00eb");
        using var inner = _logger.BeginScope(new Dictionary<string, object> { ["a"] = 1 });
        _logger.LogInformation("m");
        Assert.Equal(["'plain'", "'Order 42 of    Zo\u00eb' Id=42 Name=Zo\u00eb", "'a:1' a=1"], _scopes);
    }

    [Fact]
    public void A_defined_scope_is_rendered_from_its_template()
    {
        var define = LoggerMessage.DefineScope<int, string>("Job {Number:D4} {{{Name}}}");
        using var scope = define(_logger, 7, "x");
        _logger.LogInformation("m");
        Assert.Equal(["'Job 0007 {x}' Number=7 Name=x"], _scopes);
    }

    [Fact]
    public void A_template_scope_without_arguments_is_its_text()
    {
        using var scope = _logger.BeginScope("no {Hole}");
        using var second = LoggerMessage.DefineScope("none {{here}}")(_logger);
        _logger.LogInformation("m");
        Assert.Equal(["'no {Hole}'", "'none {{here}}'"], _scopes);
    }

    [Fact]
    public void The_activity_scope_of_the_host_is_skipped()
        => Assert.Equal(["'mine'"], Track(ActivityIdFormat.W3C, ActivityTrackingOptions.TraceId | ActivityTrackingOptions.SpanId | ActivityTrackingOptions.ParentId));

    [Fact]
    public void The_activity_scope_of_a_hierarchical_activity_stays_for_nothing_else_has_its_ids()
    {
        var scopes = Track(ActivityIdFormat.Hierarchical, ActivityTrackingOptions.TraceId | ActivityTrackingOptions.SpanId);
        Assert.Equal(2, scopes.Count);
        // A hierarchical id: the root id between | and the first dot.
        Assert.Matches(@"^'SpanId:\|([^.]+)\.[^']*, TraceId:\1' SpanId=\|\1\.\S* TraceId=\1$", scopes[0]);
        Assert.Equal("'mine'", scopes[1]);
    }

    [Fact]
    public void Other_activity_data_that_the_host_tracks_stays_without_the_ids()
        => Assert.Equal(
            ["'TraceState:a=b, TraceFlags:Recorded' TraceState=a=b TraceFlags=Recorded", "'mine'"],
            Track(ActivityIdFormat.W3C, ActivityTrackingOptions.TraceId | ActivityTrackingOptions.SpanId | ActivityTrackingOptions.ParentId | ActivityTrackingOptions.TraceState | ActivityTrackingOptions.TraceFlags));

    [Fact]
    public void Tags_and_baggage_that_the_host_tracks_are_scopes()
        => Assert.Equal(
            ["'tag:1' tag=1", "'user:u' user=u", "'mine'"],
            Track(ActivityIdFormat.W3C, ActivityTrackingOptions.SpanId | ActivityTrackingOptions.Tags | ActivityTrackingOptions.Baggage));

    private static List<string> Track(ActivityIdFormat format, ActivityTrackingOptions tracked)
    {
        var sink = new ScopeSink();
        using var factory = LoggerFactory.Create(builder => builder.Configure(options => options.ActivityTrackingOptions = tracked).AddProvider(sink));
        using var activity = new Activity("request").SetIdFormat(format);
        activity.TraceStateString = "a=b";
        activity.ActivityTraceFlags = ActivityTraceFlags.Recorded;
        activity.SetTag("tag", 1).AddBaggage("user", "u").Start();
        var logger = factory.CreateLogger("C");
        using var scope = logger.BeginScope("mine");
        logger.LogInformation("m");
        Assert.Equal(1, sink.ActivityScopes);
        return sink.Scopes;
    }

    [Fact]
    public void A_scope_that_throws_keeps_its_first_pairs_and_leaves_a_placeholder()
    {
        using var scope = _logger.BeginScope(new ThrowingPairs(2));
        using var inner = _logger.BeginScope(new BadValue());
        _logger.LogInformation("m");
        Assert.Equal(2, _scopes.Count);
        Assert.EndsWith("' k0=0 k1=1 Error=<error: System.IO.IOException>", _scopes[0]);
        Assert.Equal("'<error: AsyncLog.Tests.Capture.BadValue>'", _scopes[1]);
        Assert.Equal(2, _logger.RenderErrors);
    }

    [Fact]
    public void An_endless_scope_ends_after_128_pairs()
    {
        using var scope = _logger.BeginScope(new EndlessSequence());
        _logger.LogInformation("m");
        Assert.EndsWith(string.Concat(Enumerable.Repeat(" k=v", 128)), Assert.Single(_scopes), StringComparison.Ordinal);
        Assert.Equal(128, Assert.Single(_scopes).Split(" k=v").Length - 1);
    }

    [Theory]
    [InlineData(128, "'0'")]
    [InlineData(129, "'<2 outer scopes left out>'")]
    [InlineData(200, "'<73 outer scopes left out>'")]
    public void Of_many_scopes_the_128_innermost_are_written_and_a_text_replaces_the_others(int scopes, string first)
    {
        for (var i = 0; i < scopes; i++)
            _logger.BeginScope(i.ToString(System.Globalization.CultureInfo.InvariantCulture));
        _logger.LogInformation("m");
        Assert.Equal(128, _scopes.Count);
        Assert.Equal(first, _scopes[0]);
        Assert.Equal(Enumerable.Range(scopes - 127, 127).Select(i => $"'{i}'"), _scopes.Skip(1));
    }

    [Fact]
    public void Properties_of_outer_scopes_that_are_omitted_are_omitted_too()
    {
        for (var i = 0; i < 300; i++)
            _logger.BeginScope("scope {Number}", i);
        _logger.LogInformation("m");
        Assert.Equal(Enumerable.Range(173, 127).Select(i => $"'scope {i}' Number={i}").Prepend("'<173 outer scopes left out>'"), _scopes);
    }

    [Fact]
    public void A_null_scope_and_a_null_key_are_left_out()
    {
        using var none = _logger.ScopeProvider.Push(null);
        using var scope = _logger.BeginScope(new KeyValuePair<string, object?>[] { new(null!, 1), new("a", null) });
        _logger.LogInformation("m");
        Assert.EndsWith("' a=null", Assert.Single(_scopes));
    }

    [Fact]
    public void A_provider_that_throws_leaves_a_placeholder()
    {
        var logEvent = new LogEvent();
        logEvent.Begin(0, LogLevel.Information, new LogCategory("C"), default, null, new ThrowingProvider(), 4096);
        Assert.Equal(1, logEvent.ScopeCount);
        Assert.Equal("'<error: System.NotSupportedException>'", Describe(logEvent.GetScope(0)));
        Assert.Throws<ArgumentOutOfRangeException>(() => logEvent.GetScope(1));
        logEvent.Reset();
    }

    [Fact]
    public void A_scope_of_one_event_is_not_seen_by_the_next()
    {
        using (_logger.BeginScope("first {A}", 1))
            _logger.LogInformation("m");
        Assert.Equal(["'first 1' A=1"], _scopes);
        _logger.LogInformation("m");
        Assert.Empty(_scopes);
    }

    [Fact]
    public void A_scope_knows_its_template()
    {
        var templates = new List<string?>();
        _logger.Look = logEvent =>
        {
            for (var i = 0; i < logEvent.ScopeCount; i++)
                templates.Add(logEvent.GetScope(i).MessageTemplate);
        };
        using var outer = _logger.BeginScope("Order {Id}", 1);
        using var middle = _logger.BeginScope("plain");
        using var inner = _logger.BeginScope(new Dictionary<string, object?> { ["a"] = 1 });
        _logger.LogInformation("m");
        Assert.Equal(["Order {Id}", null, null], templates);
    }

    private static string Describe(LogScope scope)
    {
        var text = new StringBuilder("'").Append(Encoding.UTF8.GetString(scope.Text)).Append('\'');
        foreach (ref readonly var property in scope.Properties)
            text.Append(' ').Append(CapturingLogger.Text(property));
        Assert.True(scope.HasProperties || scope.Properties.IsEmpty);
        return text.ToString();
    }

    private sealed class ThrowingProvider : IExternalScopeProvider
    {
        public void ForEachScope<TState>(Action<object?, TState> callback, TState state) => throw new NotSupportedException();

        public IDisposable Push(object? state) => throw new NotSupportedException();
    }

    private sealed class ScopeSink : ILoggerProvider, ISupportExternalScope, ILogger
    {
        private IExternalScopeProvider? _provider;

        public int ActivityScopes { get; private set; }

        public List<string> Scopes { get; } = [];

        public void SetScopeProvider(IExternalScopeProvider scopeProvider) => _provider = scopeProvider;

        public ILogger CreateLogger(string categoryName) => this;

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull
            => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(
            LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
        {
            _provider!.ForEachScope((scope, self) => self.ActivityScopes += scope!.GetType().Name == "ActivityLogScope" ? 1 : 0, this);
            var logEvent = new LogEvent();
            logEvent.Begin(0, logLevel, new LogCategory("C"), eventId, exception, _provider, 4096);
            for (var i = 0; i < logEvent.ScopeCount; i++)
                Scopes.Add(Describe(logEvent.GetScope(i)));
        }

        public void Dispose()
        {
        }
    }
}
