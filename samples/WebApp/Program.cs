using WebApp;

var builder = WebApplication.CreateBuilder(args);
if (TakenPort.Find(builder.Configuration) is { } taken)
{
    Console.Error.WriteLine(taken);
    return 1;
}

// In place of the host's own console provider: JSON for the collector of a container's output, coloured text on a terminal.
builder.Logging.ClearProviders().AddAsyncConsole(static console => console.Format ??= Console.IsOutputRedirected ? "Json" : null);
builder.Logging.AddAsyncFile();

// Off until Logging:AsyncSyslog:Endpoint is set, in a file, an environment variable, or while it runs.
builder.Logging.AddAsyncSyslog(static syslog => syslog.Enabled &= syslog.Endpoint is not null);

// To a collector too, where one is named: in the environment, as the Aspire dashboard does, or at the root of appsettings.json.
if (!string.IsNullOrEmpty(builder.Configuration["OTEL_EXPORTER_OTLP_ENDPOINT"]))
    builder.Logging.AddAsyncOtlp();

builder.Services.AddHealthChecks().AddAsyncLog();

// A sink of this sample's own, which the buttons of /demo bring into trouble.
if (builder.Environment.IsDevelopment())
    builder.AddWarehouse();

builder.Services.AddProblemDetails(RequestIds.AddToProblem);
builder.Services.AddSingleton(TimeProvider.System);
builder.Services.AddSingleton<RequestCount>();
builder.Services.AddSingleton<Catalog>();
builder.Services.AddSingleton<Carts>();
builder.Services.AddSingleton<Orders>();
builder.Services.AddHostedService<StockReport>();

var app = builder.Build();
app.UseAsyncLogRequestLogging();
app.UseMiddleware<RequestIdMiddleware>();
app.UseExceptionHandler();
app.UseStatusCodePages();
app.MapShop();
app.MapHealthChecks("/health", HealthAnswer.Options(app.Environment));

// /asynclog for people, /asynclog/status and /asynclog/metrics for programs. Outside Development it answers 404 until it is said who may see it.
app.MapAsyncLog();
if (app.Environment.IsDevelopment())
    app.MapDemo();
app.Lifetime.ApplicationStarted.Register(() => WhereToLook.Print(app));
var requests = app.Services.GetRequiredService<RequestCount>();
await app.RunAsync();

// Every request that was logged, so that a test can compare it with the lines in logs/requests.jsonl.
Console.WriteLine(FormattableString.Invariant($"requests: {requests.Value}"));
return 0;
