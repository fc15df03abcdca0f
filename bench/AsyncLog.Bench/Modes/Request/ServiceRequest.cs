using System.Diagnostics;
using System.Reflection;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Bench;

/// <summary>A request as ASP.NET Core begins it: the scope of Kestrel's connection, an activity, the scope of the hosting; a scope of the application where it is wanted.</summary>
internal sealed class ServiceRequest : IDisposable
{
    private const string Hosting = "Microsoft.AspNetCore.Hosting.HostingApplicationDiagnostics+Log";
    private const string Kestrel = "Microsoft.AspNetCore.Server.Kestrel.Core.Internal.ConnectionLogScope";

    // The types are internal. They are found once, before anything is measured.
    private static readonly Func<ILogger, HttpContext, IDisposable?> RequestScope = typeof(WebHostBuilderExtensions).Assembly.GetType(Hosting, throwOnError: true)!
        .GetMethod("RequestScope", BindingFlags.Public | BindingFlags.Static)!.CreateDelegate<Func<ILogger, HttpContext, IDisposable?>>();

    private static readonly ConstructorInfo ConnectionScope = typeof(KestrelServer).Assembly.GetType(Kestrel, throwOnError: true)!.GetConstructor([typeof(string)])!;

    private readonly Activity _activity = new("Microsoft.AspNetCore.Hosting.HttpRequestIn");
    private readonly IDisposable? _connection;
    private readonly IDisposable? _hosting;
    private readonly IDisposable? _application;

    private ServiceRequest(ILogger logger, int number, bool hasOwnScope)
    {
        var context = new DefaultHttpContext();
        context.Request.Method = "GET";
        context.Request.Path = "/api/baskets/4711";
        context.TraceIdentifier = string.Create(null, $"0HNDK8L3Q2V1T:{number:X8}");
        _connection = logger.BeginScope(ConnectionScope.Invoke(["0HNDK8L3Q2V1T"]));
        _activity.Start();
        _hosting = RequestScope(logger, context);
        _application = hasOwnScope ? logger.BeginScope("Basket {BasketId} of {Tenant}", number, "premium") : null;
    }

    /// <summary>Begins a request in the context of the caller.</summary>
    public static ServiceRequest Begin(ILogger logger, int number, bool hasOwnScope = false) => new(logger, number, hasOwnScope);

    public void Dispose()
    {
        _application?.Dispose();
        _hosting?.Dispose();
        _activity.Dispose();
        _connection?.Dispose();
    }
}
