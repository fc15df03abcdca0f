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

    /// <exception cref="OptionsValidationException">A key or value is not valid.</exception>
    internal static (AsyncLogRequestOptions Options, RequestTemplate Template) Create(IConfiguration? configuration, Action<AsyncLogRequestOptions>? configure)
    {
        var options = new AsyncLogRequestOptions();
        foreach (var child in configuration?.GetSection(Section).GetChildren() ?? [])
        {
            if (child.Key.Equals(nameof(MessageTemplate), StringComparison.OrdinalIgnoreCase))
                options.MessageTemplate = child.Value ?? "";
            else if (child.Key.Equals(nameof(ExcludedPaths), StringComparison.OrdinalIgnoreCase))
                Array.ForEach([.. child.GetChildren()], path => options.ExcludedPaths.Add(path.Value ?? ""));
            else
                throw Invalid(child.Path, child.Value, $"expected {nameof(MessageTemplate)} or {nameof(ExcludedPaths)}; the others are set in code");
        }

        options.Check(Section + ":");
        configure?.Invoke(options);
        return (options, options.Check("UseAsyncLogRequests(): "));
    }

    private static OptionsValidationException Invalid(string place, string? value, string rule)
        => new(Section, typeof(AsyncLogRequestOptions), [$"{place} '{value}' is not valid: {rule}"]);

    private RequestTemplate Check(string place)
    {
        if (ExcludedPaths.FirstOrDefault(static path => path is not ['/', ..]) is { } path)
            throw Invalid(place + nameof(ExcludedPaths), path, "expected a path that begins with '/'");
        try
        {
            return RequestTemplate.Parse(MessageTemplate);
        }
        catch (FormatException exception)
        {
            throw Invalid(place + nameof(MessageTemplate), MessageTemplate, exception.Message);
        }
    }
}
