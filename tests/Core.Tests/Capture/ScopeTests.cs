using System.Diagnostics;
using System.Text;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

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
        Assert.Equal("'plain'", _scopes[0]);
        Assert.Equal("'Order 42 of    Zo\u00eb' Id=42 Name=Zo\u00eb", _scopes[1]);
        Assert.Equal("'System.Collections.Generic.Dictionary`2[System.String,System.Object]' a=1", _scopes[2]);
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
    {
        var sink = new ScopeSink();
        using var factory = LoggerFactory.Create(builder => builder
            .Configure(options => options.ActivityTrackingOptions = ActivityTrackingOptions.TraceId | ActivityTrackingOptions.SpanId)
            .AddProvider(sink));
        using var activity = new Activity("request").SetIdFormat(ActivityIdFormat.W3C).Start();
        var logger = factory.CreateLogger("C");
        using var scope = logger.BeginScope("mine");
        logger.LogInformation("m");
        Assert.Equal(1, sink.ActivityScopes);
        Assert.Equal(["'mine'"], sink.Scopes);
    }

    [Fact]
    public void F79_A_scope_that_throws_keeps_its_first_pairs_and_says_so()
    {
        using var scope = _logger.BeginScope(new ThrowingSequence(2));
        using var inner = _logger.BeginScope(new BadValue());
        _logger.LogInformation("m");
        Assert.EndsWith(" k0=0 k1=1 Error=<error: System.IO.IOException>", _scopes[0]);
        Assert.Equal("'<error: AsyncLog.BadValue>'", _scopes[1]);
        Assert.Equal(2, _logger.RenderErrors);
    }

    [Fact]
    public void F79_An_endless_scope_ends_after_128_pairs_and_128_scopes_are_told()
    {
        using var scope = _logger.BeginScope(new EndlessSequence());
        for (var i = 0; i < 200; i++)
            _logger.BeginScope(i.ToString(System.Globalization.CultureInfo.InvariantCulture));
        _logger.LogInformation("m");
        Assert.Equal(128, _scopes.Count);
        Assert.Equal(128, _scopes[0].Split(' ').Count(part => part == "k=v"));
    }

    [Fact]
    public void F87_A_null_scope_and_a_null_key_are_left_out()
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
        logEvent.End();
    }

    [Fact]
    public void A_scope_of_one_event_is_not_seen_by_the_next()
    {
        using (_logger.BeginScope("first {A}", 1))
            _logger.LogInformation("m");
        _logger.LogInformation("m");
        Assert.Empty(_scopes);
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
