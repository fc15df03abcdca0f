using System.Diagnostics;

namespace AsyncLog.Tests.Documents;

/// <summary>A program that sets one library up from a file of settings, and makes the same calls as the programs of the other libraries.</summary>
/// <param name="setup">Sets the library up: <c>settings</c> is the path of the file.</param>
internal sealed class CallsProgram(string setup) : IDisposable
{
    private const string Calls =
        """
        static void Call(ILoggerFactory loggers)
        {
            var cart = loggers.CreateLogger("Shop.Cart");
            cart.LogTrace("Looked up {CartId}", "c-17");
            cart.LogDebug("Cart {CartId} is cached", "c-17");
            cart.LogInformation("Cart {CartId} has {Items} items", "c-17", 3);
            cart.LogInformation("Started");
            cart.LogInformation(new EventId(14, "Placed"), "Placed {@Order} in {Duration:F1} ms", new { Id = 5, Customer = "Ann" }, 12.34);
            cart.LogWarning("Only {Left} {Item} left", 2, "apples");
            using (cart.BeginScope(new Dictionary<string, object> { ["Tenant"] = "acme" }))
                cart.LogError(new TimeoutException("No answer in 5 s"), "Payment of cart {CartId} failed", "c-17");
            cart.LogCritical("Out of {Item}", "pears");
            var requests = loggers.CreateLogger("Shop.Requests");
            requests.LogDebug("Matched {Route}", "cart");
            requests.LogInformation("Answered {Route}", "cart");
            requests.LogError("Refused {Route}", "cart");
            var framework = loggers.CreateLogger("Microsoft.AspNetCore.Routing");
            framework.LogInformation("Matched {Route}", "cart");
            framework.LogWarning("Slow {Route}", "cart");
            loggers.CreateLogger("Microsoft.Hosting.Lifetime").LogInformation("Ready");
        }
        """;

    // Beside this program, whose libraries it uses.
    private readonly string _library = Path.Combine(AppContext.BaseDirectory, $"calls-{Guid.NewGuid():N}.dll");

    /// <summary>Runs the program in a folder of its own.</summary>
    /// <param name="settings">The file of settings. The program gets its text, with the absolute path of <c>logs/</c>.</param>
    /// <param name="isRequest">True if the calls are made in a request for <c>/cart</c>.</param>
    /// <returns>The lines of standard output, of standard error and of each file; digits of times and dates are 0.</returns>
    public async Task<SortedDictionary<string, string[]>> RunAsync(string settings, bool isRequest)
    {
        if (!File.Exists(_library))
            new Code(Program()).Save(_library);
        using var folder = new TempFolder();
        var file = folder.File(Path.GetFileName(settings));
        await File.WriteAllTextAsync(file, (await File.ReadAllTextAsync(settings)).Replace("logs/", $"{folder.Path}/logs/", StringComparison.Ordinal).Replace("${basedir}/", "", StringComparison.Ordinal));
        var own = Path.Combine(AppContext.BaseDirectory, typeof(CallsProgram).Assembly.GetName().Name!);
        using var process = Process.Start(new ProcessStartInfo("dotnet", ["exec", "--depsfile", $"{own}.deps.json", "--runtimeconfig", $"{own}.runtimeconfig.json", _library, file, isRequest ? "request" : ""])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        })!;
        var errors = process.StandardError.ReadToEndAsync();
        var lines = await process.StandardOutput.ReadToEndAsync();
        await process.WaitForExitAsync();
        Assert.True(process.ExitCode == 0, await errors);
        var written = new SortedDictionary<string, string[]>(StringComparer.Ordinal) { ["output"] = Lines(lines), ["errors"] = Lines(await errors) };
        if (Directory.Exists(folder.File("logs")))
        {
            foreach (var log in new DirectoryInfo(folder.File("logs")).EnumerateFiles())
                written.Add(string.Concat(log.Name.Select(static sign => char.IsAsciiDigit(sign) ? '0' : sign)), Lines(await File.ReadAllTextAsync(log.FullName)));
        }

        return written;
    }

    public void Dispose() => File.Delete(_library);

    private static string[] Lines(string text) => [.. text.ReplaceLineEndings("\n").Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(Moved.WithoutTime)];

    private string Program()
        => $$"""
            {{setup}}
            await using (var app = builder.Build())
            {
                var loggers = app.Services.GetRequiredService<ILoggerFactory>();
                if (args[1] != "request")
                {
                    Call(loggers);
                    return;
                }
                app.MapGet("/cart", () => Call(loggers));
                app.Urls.Add("http://127.0.0.1:0");
                await app.StartAsync();
                using var client = new HttpClient { BaseAddress = new Uri(app.Urls.First()) };
                (await client.GetAsync("/cart")).EnsureSuccessStatusCode();
                await app.StopAsync();
            }
            {{Calls}}
            """;
}
