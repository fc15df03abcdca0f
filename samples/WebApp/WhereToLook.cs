namespace WebApp;

/// <summary>What a person who has just started the sample wants to know.</summary>
internal static class WhereToLook
{
    public static void Print(WebApplication app)
    {
        foreach (var url in app.Urls)
            Console.WriteLine($"listening on {url} (try: curl {url}/articles)");
        Console.WriteLine($"log files in {Path.Combine(app.Environment.ContentRootPath, "logs")}");
    }
}
