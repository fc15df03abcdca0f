using System.Diagnostics.Metrics;
using System.Text;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace AsyncLog;

/// <summary>The four addresses and what each answers with.</summary>
internal sealed class DashboardEndpoints(IAsyncLogControl control, Histograms histograms)
{
    public static RouteGroupBuilder Map(RouteGroupBuilder group, IServiceProvider services)
    {
        var control = services.GetService<IAsyncLogControl>()
            ?? throw new InvalidOperationException("MapAsyncLog() has nothing to show: register a provider first, for example builder.Logging.AddAsyncFile().");
        var histograms = new Histograms(services.GetService<IMeterFactory>());
        services.GetService<IHostApplicationLifetime>()?.ApplicationStopped.Register(histograms.Dispose);
        new DashboardEndpoints(control, histograms).Map(group);
        return group;
    }

    private void Map(RouteGroupBuilder group)
    {
        group.MapGet("", ExposureRule.Guard(StatusPage.Answer));
        group.MapGet("/status", ExposureRule.Guard(AnswerStatus));
        group.MapGet("/history", ExposureRule.Guard(AnswerHistory));
        group.MapGet("/metrics", ExposureRule.Guard(AnswerMetrics));
    }

    private Task AnswerStatus(HttpContext context)
    {
        var status = control.GetStatus();
        return Answers.Json(context, writer => StatusJson.Write(writer, status, histograms.Read()));
    }

    private Task AnswerHistory(HttpContext context) => Answers.Json(context, writer => HistoryJson.Write(writer, control));

    private Task AnswerMetrics(HttpContext context)
    {
        var text = MetricsText.Of(control.GetStatus(), histograms.Read());
        return Answers.Send(context, OpenMetricsWriter.ContentType, Encoding.UTF8.GetBytes(text));
    }
}
