namespace WebApp;

/// <summary>Buttons that bring sinks into trouble, to be watched on the live page. Only in Development.</summary>
internal static class DemoEndpoints
{
    public const string Category = "WebApp.Demo";

    private const string Page =
        """
        <!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>AsyncLog demo</title>
        <style>:root { color-scheme: light dark } body { font: 16px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 40em; padding: 0 1em }
        button { font: inherit; padding: .5em 1em; min-width: 17em; text-align: left } form { margin: .6em 0 }</style>
        <h1>What a logger does in trouble</h1>
        <p>Open <a href="asynclog" target="_blank">the live page</a> beside this one, press, and watch warehouse/default.</p>
        <form method="post" action="demo/burst"><button>Burst: 50,000 records at once</button></form>
        <form method="post" action="demo/stall"><button>Stall the warehouse for 20 s</button></form>
        <form method="post" action="demo/full"><button>Stall it and fill its queue</button></form>
        <form method="post" action="demo/refuse"><button>Let it refuse for 20 s</button></form>
        <p>The same for programs: <a href="health">health</a>, <a href="asynclog/status">status</a>, <a href="asynclog/metrics">metrics</a>.</p>
        """;

    private static readonly TimeSpan Trouble = TimeSpan.FromSeconds(20);

    public static void MapDemo(this IEndpointRouteBuilder app)
    {
        app.MapGet("/demo", static () => TypedResults.Content(Page, "text/html; charset=utf-8"));
        app.MapPost("/demo/burst", static (ILoggerFactory loggers) => Back(() => Burst(loggers, 50_000)));
        app.MapPost("/demo/stall", static (Warehouse warehouse) => Back(() => warehouse.Stall(Trouble)));
        app.MapPost("/demo/full", static (Warehouse warehouse, ILoggerFactory loggers) => Back(() =>
        {
            warehouse.Stall(Trouble);
            Burst(loggers, 5_000);
        }));
        app.MapPost("/demo/refuse", static (Warehouse warehouse, ILoggerFactory loggers) => Back(() =>
        {
            warehouse.Close(Trouble);
            Burst(loggers, 10);
        }));
    }

    private static void Burst(ILoggerFactory loggers, int records)
    {
        var logger = loggers.CreateLogger(Category);
        for (var number = 1; number <= records; number++)
            logger.LogInformation("Parcel {Number} of {Count} goes to the warehouse", number, records);
    }

    private static IResult Back(Action act)
    {
        act();
        return TypedResults.Redirect("/demo");
    }
}
