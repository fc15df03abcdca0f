using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace AsyncLog;

/// <summary>What <c>UseAsyncLogRequests</c> logs. The root section <c>AsyncLogRequests</c> of the configuration sets <see cref="MessageTemplate"/> and
/// <see cref="ExcludedPaths"/>; then code runs. Read at start.</summary>
public sealed class AsyncLogRequestOptions
{
    private const string Section = "AsyncLogRequests";

    /// <summary>The message of a record. Its values: <c>RequestMethod</c>, <c>RequestPath</c>, <c>Route</c>, <c>StatusCode</c>, <c>Elapsed</c> (milliseconds),
    /// <c>ResponseLength</c> (bytes, null without a Content-Length header), <c>QueryString</c>, <c>Scheme</c>, <c>Host</c>, <c>Protocol</c>, <c>RemoteIpAddress</c>.</summary>
    /// <value>Default <c>HTTP {RequestMethod} {RequestPath} responded {StatusCode} in {Elapsed:F3} ms</c>.</value>
    /// <remarks>The first six are properties of every record; each of the others where the template contains it.</remarks>
    public string MessageTemplate { get; set; } = "HTTP {RequestMethod} {RequestPath} responded {StatusCode} in {Elapsed:F3} ms";

    /// <summary>Paths that are not logged, together with the paths below them: <c>/health</c>. The addresses of <c>MapAsyncLog</c> are never logged.</summary>
    /// <value>Default none. Each begins with a slash.</value>
    public IList<string> ExcludedPaths { get; } = [];

    /// <summary>Returns false for a request that is not logged. Called when the request ends.</summary>
    /// <value>Default null: every request is logged.</value>
    public Func<HttpContext, bool>? Filter { get; set; }

    /// <summary>Returns the level from the milliseconds and the exception, also one that was handled. With <see cref="LogLevel.None"/> the request is not logged.</summary>
    /// <value>Default null: Error for status 500 and above, else Information.</value>
    public Func<HttpContext, double, Exception?, LogLevel>? GetLevel { get; set; }

    /// <exception cref="OptionsValidationException">A key or value is not valid; the message has all of them.</exception>
    internal static (AsyncLogRequestOptions Options, RequestTemplate Template) Create(IConfiguration? configuration, Action<AsyncLogRequestOptions>? configure)
    {
        var options = new AsyncLogRequestOptions();
        List<string> problems = [];
        foreach (var child in configuration?.GetSection(Section).GetChildren() ?? [])
        {
            if (child.Key.Equals(nameof(MessageTemplate), StringComparison.OrdinalIgnoreCase))
                options.MessageTemplate = child.Value ?? "";
            else if (!child.Key.Equals(nameof(ExcludedPaths), StringComparison.OrdinalIgnoreCase))
                problems.Add(Problem(child.Path, child.Value, $"expected {nameof(MessageTemplate)} or {nameof(ExcludedPaths)}; the others are set in code{DidYouMean(child.Key)}"));
            else if (string.IsNullOrEmpty(child.Value))
                Array.ForEach([.. child.GetChildren()], path => options.ExcludedPaths.Add(path.Value ?? ""));
            else
                problems.Add(Problem(child.Path, child.Value, "expected a list, such as [ \"/health\" ]"));
        }

        options.Check(Section + ":", problems);
        configure?.Invoke(options);
        return (options, options.Check("UseAsyncLogRequests(): ", problems));
    }

    private static string Problem(string place, string? value, string rule) => $"{place}{(value is null ? "" : $" '{value}'")} is not valid: {rule}";

    private static string DidYouMean(string key)
        => NameSuggestions.Near(key, [nameof(MessageTemplate), nameof(ExcludedPaths)]) is { } near ? $"; did you mean '{near}'?" : "";

    private RequestTemplate Check(string place, List<string> problems)
    {
        foreach (var path in ExcludedPaths)
        {
            if (path is not ['/', ..])
                problems.Add(Problem(place + nameof(ExcludedPaths), path, "expected a path that begins with '/'"));
            else if (path.TrimEnd('/').Length == 0)
                problems.Add(Problem(place + nameof(ExcludedPaths), path, "it leaves out every request, because all paths are below it. To leave out the path '/' alone, set Filter in code"));
        }

        RequestTemplate? template = null;
        try
        {
            template = RequestTemplate.Parse(MessageTemplate);
        }
        catch (FormatException exception)
        {
            problems.Add(Problem(place + nameof(MessageTemplate), MessageTemplate, exception.Message));
        }

        return problems.Count == 0 ? template! : throw new OptionsValidationException(Section, typeof(AsyncLogRequestOptions), problems);
    }
}
