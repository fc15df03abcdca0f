using System.Collections;
using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;
using Microsoft.AspNetCore.Routing;

namespace AsyncLog;

/// <summary>A parsed message template of requests.</summary>
/// <param name="Names">The properties of a record: those of the template in order, then those that every record has.</param>
internal sealed partial record RequestTemplate(string Text, CompositeFormat Format, string[] Names)
{
    private static readonly string[] Always = ["RequestMethod", "RequestPath", "Route", "StatusCode", "Elapsed", "ResponseLength"];

    /// <summary>The property that a record has only after an exception.</summary>
    public const string ErrorType = "ErrorType";

    /// <summary>The names that are properties only where the template has them.</summary>
    public static readonly string[] Others = ["QueryString", "Scheme", "Host", "Protocol", "RemoteIpAddress"];

    /// <summary>True if the template has one of the others.</summary>
    public bool HasOthers { get; } = Names.Intersect(Others).Any();

    /// <summary>True if the record has a value of its own by the name of a property.</summary>
    public bool HasName(KeyValuePair<string, object?> property)
        => AddedProperties.NameOf(property.Key) is var name && (name is ErrorType or "{OriginalFormat}" || Names.Contains(name));

    /// <summary>Returns the rule that a text breaks, in words; null: it is a template.</summary>
    public static string? RuleOf(string text)
    {
        try
        {
            Parse(text);
            return null;
        }
        catch (FormatException exception)
        {
            return exception.Message;
        }
    }

    /// <exception cref="FormatException">The template is not valid.</exception>
    public static RequestTemplate Parse(string text)
    {
        List<string> names = [];
        var format = Argument().Replace(text, match =>
        {
            if (!match.Groups[1].Success)
                return match.Value;
            names.Add(match.Groups[1].Value);
            return string.Create(CultureInfo.InvariantCulture, $"{{{names.Count - 1}");
        });
        if (names.Except(Always).Except(Others).FirstOrDefault() is { } unknown)
            throw new FormatException($"{{{unknown}}} is not a value of a request; expected {string.Join(", ", [.. Always, .. Others])}");
        try
        {
            return new RequestTemplate(text, CompositeFormat.Parse(format), [.. names, .. Always.Except(names)]);
        }
        catch (FormatException exception)
        {
            // The message of .NET counts characters of a text with numbers in place of names, which is not the text of the option.
            throw new FormatException("expected placeholders such as {StatusCode}, {StatusCode,5} or {Elapsed:F3}; write '{{' and '}}' for braces", exception);
        }
    }

    [GeneratedRegex(@"\{\{|\{([^{},:]+)")]
    private static partial Regex Argument();
}

/// <summary>The state of a request's record. It holds copies of the values, so that a provider may keep it beyond the request.</summary>
internal readonly struct RequestState(RequestTemplate template, LoggedRequest request, KeyValuePair<string, object?>[]? added, int status, double elapsed) : IUnboxedState
{
    public static readonly Func<RequestState, Exception?, string> Formatter = static (state, _) => state.ToString();

    private readonly string _method = request.Method;
    private readonly string _path = request.PathBase.Add(request.Path).Value!;
    private readonly string? _route = (request.Served as RouteEndpoint)?.RoutePattern.RawText;
    private readonly long? _length = request.Context.Response.ContentLength;
    private readonly string?[]? _others = template.HasOthers ? Others(request) : null;

    public string Template => template.Text;

    public int Count => template.Names.Length + (added?.Length ?? 0) + 1;

    public KeyValuePair<string, object?> this[int index]
    {
        get
        {
            if (index == Count - 1)
                return new("{OriginalFormat}", template.Text);
            var property = GetProperty(index);
            return new(property.Name, property.Value.ToObject());
        }
    }

    public LogProperty GetProperty(int index)
    {
        var names = template.Names;
        if (index >= names.Length)
            return new LogProperty(added![index - names.Length].Key, LogValue.FromObject(added[index - names.Length].Value));
        return new LogProperty(names[index], names[index] switch
        {
            "RequestMethod" => LogValue.FromObject(_method),
            "RequestPath" => LogValue.FromObject(_path),
            "Route" => LogValue.FromObject(_route),
            "StatusCode" => LogValue.From(status),
            "Elapsed" => LogValue.From(elapsed),
            "ResponseLength" => _length is { } length ? LogValue.From(length) : default,
            var other => LogValue.FromObject(_others![Array.IndexOf(RequestTemplate.Others, other)]),
        });
    }

    public IEnumerator<KeyValuePair<string, object?>> GetEnumerator()
    {
        for (var i = 0; i < Count; i++)
            yield return this[i];
    }

    public override string ToString()
        => string.Format(CultureInfo.InvariantCulture, template.Format, [.. this.Take(template.Names.Length).Select(static pair => pair.Value ?? "(null)")]);

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    // In the order of the names. Scheme, host and address at the end, when a proxy's headers have been read.
    private static string?[] Others(LoggedRequest request)
    {
        var http = request.Context.Request;
        return [request.Query.Value, http.Scheme, http.Host.Value, http.Protocol, request.Context.Connection.RemoteIpAddress?.ToString()];
    }
}
