using System.Text;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Net.Http.Headers;

namespace AsyncLog;

/// <summary>The four addresses and their answers.</summary>
internal static class DashboardEndpoints
{
    public static RouteGroupBuilder Map(RouteGroupBuilder group, IServiceProvider services)
    {
        var control = services.GetService<IAsyncLogControl>()
            ?? throw new InvalidOperationException("MapAsyncLog() has nothing to show: register a provider first, for example builder.Logging.AddAsyncFile().");
        var application = ApplicationJson.Of(services);
        // All methods: where the page is hidden, the answer of the router would show that it exists.
        group.Map("", DashboardAccess.Guard(SendPage));
        group.Map("/status", DashboardAccess.Guard(context => SendJson(context, new StatusJson(control.GetStatus(), application), DashboardJson.Default.StatusJson)));
        group.Map("/history", DashboardAccess.Guard(context => SendJson(context, new HistoryJson(control), DashboardJson.Default.HistoryJson)));
        group.Map("/metrics", DashboardAccess.Guard(context => Send(context, OpenMetricsWriter.ContentType, Encoding.UTF8.GetBytes(MetricsText.Of(control.GetStatus())))));
        return group;
    }

    private static Task SendPage(HttpContext context)
    {
        context.Response.Headers[HeaderNames.ContentSecurityPolicy] = StatusPage.Policy;
        context.Response.Headers["Referrer-Policy"] = "no-referrer";
        return Send(context, "text/html; charset=utf-8", StatusPage.Document);
    }

    private static async Task Send(HttpContext context, string contentType, ReadOnlyMemory<byte> body)
    {
        var response = context.Response;
        response.ContentType = contentType;
        response.ContentLength = body.Length;
        response.Headers[HeaderNames.CacheControl] = "no-store";
        response.Headers[HeaderNames.XContentTypeOptions] = "nosniff";
        await response.Body.WriteAsync(body, context.RequestAborted).ConfigureAwait(false);
    }

    private static Task SendJson<T>(HttpContext context, T value, JsonTypeInfo<T> type)
        => Send(context, "application/json; charset=utf-8", JsonSerializer.SerializeToUtf8Bytes(value, type));
}
