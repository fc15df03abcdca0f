using Microsoft.AspNetCore.Mvc;

namespace WebApp;

/// <summary>Buttons that bring sinks into trouble, to be watched on the live page. Only in Development.</summary>
internal static class DemoEndpoints
{
    public const string Category = "WebApp.Demo";

    private const string Page =
        """
        <!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>AsyncLog demo</title>
        <link rel="icon" href="data:,">
        <style>:root { color-scheme: light dark } body { font: 16px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 44em; padding: 0 1em }
        button { font: inherit; padding: .5em 1em; min-width: 14em; text-align: left } form { margin: .8em 0; display: flex; flex-wrap: wrap; gap: .2em 1em; align-items: center }
        form span { flex: 1 1 18em } [role=status] { border-left: 6px solid #0969da; padding: .4em 1em; margin: 1em 0; min-height: 3em } [role=status]:empty { visibility: hidden }</style>
        <h1>What a logger does in trouble</h1>
        <p>Open <a href="asynclog#sink:warehouse/default" target="_blank">the live page</a> beside this one, press, and watch warehouse/default.</p>
        <form method="post" action="demo/burst"><button>Burst</button><span>50,000 records at once, into a queue of 2,000, while each write takes half a second.</span></form>
        <form method="post" action="demo/stall"><button>Stall</button><span>The warehouse takes nothing for 20 s while records keep coming.</span></form>
        <form method="post" action="demo/full"><button>Stall and fill</button><span>The same with 5,000 records at once: its queue is full.</span></form>
        <form method="post" action="demo/refuse"><button>Refuse</button><span>The warehouse refuses every record for 20 s.</span></form>
        <p role="status">{0}</p>
        <p>The same for programs: <a href="health">health</a>, <a href="asynclog/status">status</a>, <a href="asynclog/metrics">metrics</a>.</p>
        """;

    private static readonly TimeSpan Trouble = TimeSpan.FromSeconds(20);
    private static readonly TimeSpan Slow = TimeSpan.FromSeconds(5);

    // By the name of the button: what happens now, and what the live page shows of it.
    private static readonly Dictionary<string, string> Effects = new(StringComparer.Ordinal)
    {
        ["burst"] = "50,000 records were logged; the warehouse is slow until {0}. What found no place in the queue is lost and counted: the row says how many, and the chart has a red bar.",
        ["stall"] = "The warehouse stands still until {0}. Its queue fills for ten seconds until it is near full; after the stall it empties, and nothing is lost.",
        ["full"] = "The warehouse stands still until {0} and its queue is full. The records that came too late are lost and counted; the others arrive after the stall.",
        ["refuse"] = "The warehouse refuses until {0}. The sink has failed (permission) and tries again; afterwards it delivers by itself.",
    };

    public static void MapDemo(this IEndpointRouteBuilder app)
    {
        app.MapGet("/demo", static ([FromQuery] string? pressed, [FromQuery] TimeOnly? until) => TypedResults.Content(
            Page.Replace("{0}", Effects.GetValueOrDefault(pressed ?? "", "").Replace("{0}", $"{until:HH:mm:ss}", StringComparison.Ordinal), StringComparison.Ordinal), "text/html; charset=utf-8"));
        app.MapPost("/demo/burst", static (Warehouse warehouse, Parcels parcels) =>
        {
            warehouse.SlowDown(Slow);
            parcels.Send(50_000);
            return Back("burst", warehouse);
        });
        app.MapPost("/demo/stall", static (Warehouse warehouse, Parcels parcels) =>
        {
            warehouse.Stall(Trouble);
            parcels.SendGradually();
            return Back("stall", warehouse);
        });
        app.MapPost("/demo/full", static (Warehouse warehouse, Parcels parcels) =>
        {
            warehouse.Stall(Trouble);
            parcels.Send(5_000);
            return Back("full", warehouse);
        });
        app.MapPost("/demo/refuse", static (Warehouse warehouse, Parcels parcels) =>
        {
            warehouse.Close(Trouble);
            parcels.Send(10);
            return Back("refuse", warehouse);
        });
    }

    private static IResult Back(string pressed, Warehouse warehouse) => TypedResults.Redirect($"/demo?pressed={pressed}&until={warehouse.OpenAt:HH:mm:ss}");
}
