using System.Diagnostics.Metrics;
using System.Diagnostics.Tracing;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace AsyncLog.Bench;

/// <summary>Listens to the meter and the EventSource, and asks for the live page's status and metrics by HTTP and for the health check, each once a second, all in the same process.</summary>
internal sealed class Watcher : IDisposable
{
    private static readonly TimeSpan Period = TimeSpan.FromSeconds(1);
    private readonly MeterListener _meters = new();
    private readonly Events _events = new();
    private readonly HttpClient _client = new();
    private readonly CancellationTokenSource _stop = new();
    private readonly WebApplication _page;
    private readonly Thread _thread;
    private Exception? _failure;

    public Watcher(IServiceProvider services)
    {
        _meters.InstrumentPublished = static (instrument, listener) =>
        {
            if (instrument.Meter.Name == AsyncLogMeter.Name)
                listener.EnableMeasurementEvents(instrument);
        };
        _meters.Start();
        _page = Page(services);
        _thread = new Thread(() => Watch(services.GetRequiredService<HealthCheckService>())) { IsBackground = true, Name = "watcher" };
        _thread.Start();
    }

    public void Dispose()
    {
        _stop.Cancel();
        _thread.Join();
        ((IDisposable)_page).Dispose();
        _client.Dispose();
        _events.Dispose();
        _meters.Dispose();
        _stop.Dispose();
        if (_failure is not null)
            throw new InvalidOperationException("nothing was watched: " + _failure.Message, _failure);
    }

    private static WebApplication Page(IServiceProvider services)
    {
        var builder = WebApplication.CreateEmptyBuilder(new WebApplicationOptions());
        builder.Services.AddRoutingCore().AddSingleton(services.GetRequiredService<IAsyncLogControl>());
        builder.WebHost.UseKestrelCore().UseUrls("http://127.0.0.1:0");
        var page = builder.Build();
        page.MapAsyncLog().AllowAnonymous();
        page.StartAsync(CancellationToken.None).GetAwaiter().GetResult();
        return page;
    }

    private void Watch(HealthCheckService health)
    {
        try
        {
            var address = new Uri(_page.Urls.First());
            while (!_stop.Token.WaitHandle.WaitOne(Period))
            {
                _meters.RecordObservableInstruments();
                Ask(new Uri(address, "/asynclog/metrics"));
                Ask(new Uri(address, "/asynclog/status"));
                health.CheckHealthAsync(_stop.Token).GetAwaiter().GetResult();
            }
        }
        catch (OperationCanceledException) when (_stop.IsCancellationRequested)
        {
            // the end came in the middle of a look
        }
        catch (Exception exception)
        {
            _failure = exception;
        }
    }

    private void Ask(Uri address) => _client.GetByteArrayAsync(address, _stop.Token).GetAwaiter().GetResult();

    private sealed class Events : EventListener
    {
        protected override void OnEventSourceCreated(EventSource eventSource)
        {
            if (eventSource.Name == "AsyncLog-Diagnostics")
                EnableEvents(eventSource, EventLevel.Verbose, EventKeywords.All);
        }
    }
}
