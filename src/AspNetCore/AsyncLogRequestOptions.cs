using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace AsyncLog;

/// <summary>What <c>UseAsyncLogRequestLogging</c> logs. The section <c>AsyncLog:Requests</c> of the configuration sets <see cref="MessageTemplate"/> and
/// <see cref="ExcludedPaths"/>; then <c>services.Configure&lt;AsyncLogRequestOptions&gt;</c> and the delegate of the method run. Read at start.</summary>
public sealed class AsyncLogRequestOptions
{
    internal const string Section = ProcessSection.Name + ":" + ProcessSection.Requests;

    internal static OptionsTable<AsyncLogRequestOptions> Table { get; } = new OptionsTable<AsyncLogRequestOptions>()
        // Serilog.AspNetCore: MessageTemplate.
        .Add(
            nameof(MessageTemplate), static o => o.MessageTemplate, static (o, v) => o.MessageTemplate = v,
            new OptionKind<string>(static text => new ParseResult<string>(text, RequestTemplate.RuleOf(text)), static text => text, RequestTemplate.RuleOf), OptionReload.NextStart)
        // NLog.Web: ExcludeRequestPaths.
        .Add(new ExcludedPathsKey());

    /// <summary>The message of a record. Its values: <c>RequestMethod</c>, <c>RequestPath</c>, <c>Route</c>, <c>StatusCode</c>, <c>Elapsed</c> (milliseconds),
    /// <c>ResponseLength</c> (bytes, null without a Content-Length header), <c>QueryString</c>, <c>Scheme</c>, <c>Host</c>, <c>Protocol</c>, <c>RemoteIpAddress</c>.</summary>
    /// <value>Default <c>HTTP {RequestMethod} {RequestPath} responded {StatusCode} in {Elapsed:F3} ms</c>.</value>
    /// <remarks>The first six are properties of every record; each of the others where the template contains it.</remarks>
    public string MessageTemplate { get; set; } = "HTTP {RequestMethod} {RequestPath} responded {StatusCode} in {Elapsed:F3} ms";

    /// <summary>Paths that are not logged, together with the paths below them: <c>["/health"] = true</c>. The addresses of <c>MapAsyncLog</c> are never logged.</summary>
    /// <value>Default none. Each begins with a slash; false takes one out again that an earlier source of the configuration named.</value>
    public IDictionary<string, bool> ExcludedPaths { get; } = new Dictionary<string, bool>(StringComparer.OrdinalIgnoreCase);

    /// <summary>Returns false for a request that is not logged. Called when the request ends.</summary>
    /// <value>Default null: every request is logged.</value>
    public Func<HttpContext, bool>? Filter { get; set; }

    /// <summary>Returns the level from the time that the request took and the exception, also one that was handled. With <see cref="LogLevel.None"/> the request is not logged.</summary>
    /// <value>Default null: Error for status 500 and above, else Information.</value>
    public Func<HttpContext, TimeSpan, Exception?, LogLevel>? GetLevel { get; set; }

    /// <exception cref="OptionsValidationException">A key or value is not valid; the message has all of them.</exception>
    internal static AsyncLogRequestOptions Create(IServiceProvider services, Action<AsyncLogRequestOptions>? configure)
    {
        OptionsReadLog log = new();
        var section = new ConfigureOptions<AsyncLogRequestOptions>(options =>
        {
            if (services.GetService<IConfiguration>()?.GetSection(Section) is { } configured)
                Table.Read(configured, Section, OptionLayer.ParentSection, options, log);
        });
        var options = new OptionsFactory<AsyncLogRequestOptions>(
            [section, .. services.GetServices<IConfigureOptions<AsyncLogRequestOptions>>()],
            services.GetServices<IPostConfigureOptions<AsyncLogRequestOptions>>(),
            services.GetServices<IValidateOptions<AsyncLogRequestOptions>>()).Create(Options.DefaultName);
        configure?.Invoke(options);

        // What the section sets is valid, or the log has the problem.
        string[] problems =
        [
            .. log.UnknownKeys.Select(static key => key.ToString()),
            .. log.Problems.Select(static problem => problem.ToString()),
            .. from key in Table.Keys let rule = key.Check(options) where rule is not null select new ConfigurationProblem($"UseAsyncLogRequestLogging(): {key.Name}", key.Show(options), rule).ToString(),
        ];
        return problems.Length == 0 ? options : throw new OptionsValidationException(Section, typeof(AsyncLogRequestOptions), problems);
    }

    private sealed class ExcludedPathsKey() : MapKey<AsyncLogRequestOptions, string, bool>(
        nameof(ExcludedPaths), static options => options.ExcludedPaths,
        new OptionKind<string>(static path => new ParseResult<string>(path, RuleOf(path)), static path => path, RuleOf).Untyped, OptionKind.Boolean.Untyped, OptionReload.NextStart)
    {
        protected override string Rule => "expected a map of paths, such as { \"/health\": true }";

        private static string? RuleOf(string path)
            => path is not ['/', ..] ? "expected a path that begins with '/'"
                : path.TrimEnd('/').Length == 0 ? "it leaves out every request, because all paths are below it. To leave out the path '/' alone, set Filter in code"
                : null;
    }
}
