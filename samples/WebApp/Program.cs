using WebApp;

var builder = WebApplication.CreateBuilder(args);
builder.Logging.AddAsyncFile();

// To a collector too, where one is named: in the environment, as the Aspire dashboard does, or at the root of appsettings.json.
if (!string.IsNullOrEmpty(builder.Configuration["OTEL_EXPORTER_OTLP_ENDPOINT"]))
    builder.Logging.AddAsyncOtlp();

builder.Services.AddProblemDetails(RequestIds.AddToProblem);
builder.Services.AddSingleton(TimeProvider.System);
builder.Services.AddSingleton<RequestCount>();
builder.Services.AddSingleton<Catalog>();
builder.Services.AddSingleton<Carts>();
builder.Services.AddSingleton<Orders>();
builder.Services.AddHostedService<StockReport>();

var app = builder.Build();
app.UseMiddleware<RequestLog>();
app.UseExceptionHandler();
app.UseStatusCodePages();
app.MapShop();
app.Lifetime.ApplicationStarted.Register(() => WhereToLook.Print(app));
var requests = app.Services.GetRequiredService<RequestCount>();
await app.RunAsync();

// Every request that was logged, so that a test can compare it with the lines in logs/requests.jsonl.
Console.WriteLine(FormattableString.Invariant($"requests: {requests.Value}"));
