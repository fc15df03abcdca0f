using Microsoft.AspNetCore.Diagnostics;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.Extensions.ObjectPool;

namespace AsyncLog;

/// <summary>A request that is being logged: what the client sent, and the endpoint that served it. It stands in place of the endpoint feature: there it sees which endpoint is
/// chosen, and there a second middleware, or a pipeline that runs again for an error page, finds that the request has its record already.</summary>
/// <remarks>Pooled, so that a request allocates nothing.</remarks>
internal sealed class LoggedRequest : IEndpointFeature
{
    private const int MaxPooled = 1024;
    private static readonly DefaultObjectPool<LoggedRequest> Pool = new(new DefaultPooledObjectPolicy<LoggedRequest>(), MaxPooled);

    private IEndpointFeature? _inner;
    private Endpoint? _endpoint;
    private AddedProperties? _added;

    public HttpContext Context { get; private set; } = null!;

    public string Method { get; private set; } = "";

    public PathString PathBase { get; private set; }

    public PathString Path { get; private set; }

    public QueryString Query { get; private set; }

    public long Began { get; set; }

    /// <summary>True if it is left out: then an error page that answers it is, too.</summary>
    public bool IsExcluded { get; set; }

    /// <summary>The endpoint that served the client, not that of an error page.</summary>
    public Endpoint? Served { get; private set; }

    /// <summary>What the application adds to the record; created by whichever thread is the first.</summary>
    public AddedProperties Added
    {
        get
        {
            if (Volatile.Read(ref _added) is { } added)
                return added;
            added = Context.Features.Get<AddedProperties>() ?? new AddedProperties();
            return Interlocked.CompareExchange(ref _added, added, null) ?? added;
        }
    }

    Endpoint? IEndpointFeature.Endpoint
    {
        get => _inner is null ? _endpoint : _inner.Endpoint;
        set
        {
            if (_inner is null)
                _endpoint = value;
            else
                _inner.Endpoint = value;
            if (value is not null && !IsErrorPage(Context))
                Served = value;
        }
    }

    /// <summary>Begins a request; null if it has begun already, also if it has ended and the pipeline runs again.</summary>
    public static LoggedRequest? Begin(HttpContext context)
    {
        var inner = context.Features.Get<IEndpointFeature>();
        if (inner is LoggedRequest)
            return null;
        var request = Pool.Get();
        (request.Context, request._inner, request.Served, request._added) = (context, inner, inner?.Endpoint, null);
        (request.Method, request.PathBase, request.Path, request.Query) = (context.Request.Method, context.Request.PathBase, context.Request.Path, context.Request.QueryString);
        if (IsErrorPage(context))
            request.ReadOriginal();
        context.Features.Set<IEndpointFeature>(request);
        return request;
    }

    /// <summary>The properties that were added so far; null without any.</summary>
    public KeyValuePair<string, object?>[]? CopyAdded() => (Volatile.Read(ref _added) ?? Context.Features.Get<AddedProperties>())?.Copy();

    /// <summary>Ends the request.</summary>
    /// <param name="mayRunAgain">True if something outside may run the pipeline again for an error page: the request stays known, and is not pooled.</param>
    public void End(bool mayRunAgain)
    {
        if (mayRunAgain || !ReferenceEquals(Context.Features.Get<IEndpointFeature>(), this))
            return;
        Context.Features.Set(_inner);
        if (_endpoint is not null)
            Context.SetEndpoint(_endpoint);
        (Context, _inner, _endpoint, Served, _added) = (null!, null, null, null, null);
        Pool.Return(this);
    }

    // The pipeline runs again. The status comes first: it is at hand, and the features are not.
    private static bool IsErrorPage(HttpContext context)
        => context.Response.StatusCode >= StatusCodes.Status400BadRequest
            && (context.Features.Get<IStatusCodeReExecuteFeature>() is not null || context.Features.Get<IExceptionHandlerFeature>() is not null);

    // Something in front of the middleware failed, and this is its error page.
    private void ReadOriginal()
    {
        if (Context.Features.Get<IStatusCodeReExecuteFeature>() is { } page)
            (PathBase, Path, Query, Served) = (page.OriginalPathBase, page.OriginalPath, new QueryString(page.OriginalQueryString), page.Endpoint);
        else if (Context.Features.Get<IExceptionHandlerFeature>() is { } failure)
            (Path, Served) = (failure.Path, failure.Endpoint);
    }
}
