using WebApp;

var builder = WebApplication.CreateBuilder(args);
builder.Logging.AddAsyncFile();

// Off until Logging:AsyncSyslog:Endpoint is set, in a file, an environment variable, or while it runs.
builder.Logging.AddAsyncSyslog(static syslog => syslog.Enabled &= syslog.Endpoint is not null);

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
