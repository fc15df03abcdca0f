using System.Collections;
using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;
using Microsoft.AspNetCore.Http;

namespace AsyncLog;

/// <summary>A parsed message template of requests.</summary>
/// <param name="Names">The properties of a record: those of the template in order, then those that every record has.</param>
internal sealed partial record RequestTemplate(string Text, CompositeFormat Format, string[] Names)
{
    private static readonly string[] Always = ["RequestMethod", "RequestPath", "Route", "StatusCode", "Elapsed", "ResponseLength"];

    /// <summary>The names that are properties only where the template has them.</summary>
    public static readonly string[] Others = ["QueryString", "Scheme", "Host", "Protocol", "RemoteIpAddress"];

    /// <summary>True if the template has one of the others.</summary>
    public bool HasOthers { get; } = Names.Intersect(Others).Any();

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
        return new RequestTemplate(text, CompositeFormat.Parse(format), [.. names, .. Always.Except(names)]);
    }

    [GeneratedRegex(@"\{\{|\{([^{},:]+)")]
    private static partial Regex Argument();
}

/// <summary>The state of a request's record. It holds copies of the values, so that a provider may keep it beyond the request.</summary>
internal readonly struct RequestState(RequestTemplate template, HttpContext context, string? route, int status, double elapsed) : IUnboxedState
{
    public static readonly Func<RequestState, Exception?, string> Formatter = static (state, _) => state.ToString();

    private readonly string _method = context.Request.Method;
    private readonly string _path = context.Request.PathBase.Add(context.Request.Path).Value!;
    private readonly long? _length = context.Response.ContentLength;
    private readonly string?[]? _others = template.HasOthers ? Others(context.Request) : null;
    private readonly List<KeyValuePair<string, object?>>? _added = context.Features.Get<AddedProperties>();

    public string Template => template.Text;

    public int Count => template.Names.Length + (_added?.Count ?? 0) + 1;

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
            return new LogProperty(_added![index - names.Length].Key, LogValue.FromObject(_added[index - names.Length].Value));
        return new LogProperty(names[index], names[index] switch
        {
            "RequestMethod" => LogValue.FromObject(_method),
            "RequestPath" => LogValue.FromObject(_path),
            "Route" => LogValue.FromObject(route),
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

    // In the order of the names.
    private static string?[] Others(HttpRequest request)
        => [request.QueryString.Value, request.Scheme, request.Host.Value, request.Protocol, request.HttpContext.Connection.RemoteIpAddress?.ToString()];
}

/// <summary>The properties that the application added to the record of a request: a feature of it.</summary>
internal sealed class AddedProperties : List<KeyValuePair<string, object?>>;
