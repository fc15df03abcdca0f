using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;

namespace AsyncLog;

/// <summary>The properties that the application added to the record of a request, from any of its threads.</summary>
internal sealed class AddedProperties
{
    private readonly Lock _lock = new();
    private readonly List<KeyValuePair<string, object?>> _properties = [];

    public static AddedProperties Of(HttpContext context)
    {
        if (context.Features.Get<IEndpointFeature>() is LoggedRequest request)
            return request.Added;
        // In front of the middleware a request has one thread.
        if (context.Features.Get<AddedProperties>() is not { } added)
            context.Features.Set(added = new AddedProperties());
        return added;
    }

    /// <summary>The name without the sign that says how to write the value: <c>@</c> for JSON, <c>$</c> for text.</summary>
    public static string NameOf(string name) => name is ['@' or '$', _, ..] ? name[1..] : name;

    public void Set(string name, object? value)
    {
        var plain = NameOf(name);
        lock (_lock)
        {
            _properties.RemoveAll(property => NameOf(property.Key) == plain);
            _properties.Add(new(name, value));
        }
    }

    /// <summary>A copy: a provider may keep it, while tasks of the request still run.</summary>
    public KeyValuePair<string, object?>[] Copy()
    {
        lock (_lock)
            return [.. _properties];
    }
}
