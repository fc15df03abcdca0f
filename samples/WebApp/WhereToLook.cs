using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;

namespace WebApp;

/// <summary>What a person who has just started the sample wants to know.</summary>
internal static class WhereToLook
{
    public static void Print(WebApplication app)
    {
        // a test server has no addresses
        var urls = app.Services.GetRequiredService<IServer>().Features.Get<IServerAddressesFeature>()?.Addresses ?? [];
        foreach (var url in urls)
            Console.WriteLine($"listening on {url} (try: curl {url}/articles)");
        if (app.Environment.IsDevelopment())
        {
            foreach (var url in urls)
                Console.WriteLine($"status page {url}/asynclog, buttons to disturb it {url}/demo");
        }

        Console.WriteLine($"log files in {Path.Combine(app.Environment.ContentRootPath, "logs")}");
    }
}
