using System.Net;
using System.Net.Sockets;

namespace AsyncLog.Tests.Packages;

/// <summary>The templates of AsyncLog.Templates, instantiated, built against the packages and run.</summary>
[Trait("Category", "slow")]
public sealed class TemplateTests(PackedPackages packages) : IClassFixture<PackagesFixture>
{
    [Fact]
    public async Task The_web_application_logs_from_before_the_host_on_and_shows_its_health()
    {
        using var folder = new TempFolder();
        var project = await NewProject(folder, "asynclog-web", "Fresh");
        await project.Build("-warnaserror");
        var port = Ports.Free();

        using (var app = project.Start("Fresh", ["--urls", $"http://127.0.0.1:{port}", "--environment", "Development"]))
        {
            using var client = new HttpClient { BaseAddress = new Uri($"http://127.0.0.1:{port}") };
            await Eventually.Holds(() => app.Output.Any(static line => line.Contains("Application started", StringComparison.Ordinal)), () => app.Printed);
            Assert.Equal("Hello", await client.GetStringAsync("/", TestContext.Current.CancellationToken));
            Assert.Equal("Healthy", await client.GetStringAsync("/health", TestContext.Current.CancellationToken));
            Assert.Contains("<title>", await client.GetStringAsync("/asynclog", TestContext.Current.CancellationToken), StringComparison.Ordinal);
            app.Signal("TERM");
            Assert.Equal(0, await app.Ended());
        }

        Assert.Contains(folder.Lines("project", "logs", "Fresh.log"), static line => line.EndsWith("[INF] Program: Saying hello", StringComparison.Ordinal));
        var requests = folder.Lines("project", "logs", "Fresh.log").Where(static line => line.Contains("AsyncLog.Requests", StringComparison.Ordinal));
        Assert.Contains("HTTP GET / responded 200 in ", Assert.Single(requests), StringComparison.Ordinal);
        Assert.Empty(folder.Lines("project", "logs", "Fresh-errors.log"));

        // A host that cannot start says so in both files and on standard error.
        using var blocked = new TcpListener(IPAddress.Loopback, port);
        blocked.Start();
        using var failing = project.Start("Fresh", ["--urls", $"http://127.0.0.1:{port}"]);
        Assert.Equal(1, await failing.Ended());
        Assert.Contains(folder.Lines("project", "logs", "Fresh-errors.log"), static line => line.EndsWith("[CRT] Startup: The application failed", StringComparison.Ordinal));
        Assert.Contains(folder.Lines("project", "logs", "Fresh.log"), static line => line.EndsWith("[CRT] Startup: The application failed", StringComparison.Ordinal));
        Assert.Contains(failing.Errors, static line => line.Contains("The application failed", StringComparison.Ordinal));
    }

    [Fact]
    public async Task The_worker_logs_its_rounds_until_it_is_stopped()
    {
        using var folder = new TempFolder();
        var project = await NewProject(folder, "asynclog-worker", "my-worker");
        await project.Build("-warnaserror");

        using var app = project.Start("my-worker", []);
        // The host starts and the worker begins its round side by side.
        await Eventually.Holds(
            () => folder.Lines("project", "logs", "my-worker.log") is var lines && Array.Exists(lines, static line => line.Contains("Content root path", StringComparison.Ordinal))
                && Array.Exists(lines, static line => line.EndsWith("Round 1", StringComparison.Ordinal)),
            () => app.Printed);
        app.Signal("TERM");

        Assert.Equal(0, await app.Ended());
        var written = folder.Lines("project", "logs", "my-worker.log");
        Assert.Single(written, static line => line.EndsWith("[INF] my_worker.Worker: Round 1", StringComparison.Ordinal));
        Assert.EndsWith("Application is shutting down...", written[^1], StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_sink_delivers_to_its_destination_what_a_program_logs()
    {
        using var folder = new TempFolder();
        var project = await NewProject(folder, "asynclog-sink", "Acme.Kafka");
        Assert.DoesNotContain("NoWarn", File.ReadAllText(folder.File("project", "Acme.Kafka.csproj")), StringComparison.Ordinal);
        await project.Run("new", "console", "-n", "Fresh", "-o", "program", "--no-restore");
        await project.Run("add", "program", "reference", "project");
        File.WriteAllText(
            folder.File("program", "Program.cs"),
            """
            using Microsoft.Extensions.Configuration;
            using Microsoft.Extensions.Logging;

            var configuration = new ConfigurationBuilder().AddInMemoryCollection([new("Logging:Kafka:Port", args[0])]).Build();
            using var loggers = LoggerFactory.Create(logging => logging.AddConfiguration(configuration.GetSection("Logging")).AddKafka());
            loggers.CreateLogger("Program").LogInformation("Hello, {Name}!", "World");
            """);
        await project.Run("build", "program", "-c", "Release", "-o", "app", "-warnaserror");
        using var server = new TcpListener(IPAddress.Loopback, 0);
        server.Start();

        using var app = project.Start("Fresh", [((IPEndPoint)server.LocalEndpoint).Port.ToString(System.Globalization.CultureInfo.InvariantCulture)]);
        using var client = await server.AcceptTcpClientAsync(TestContext.Current.CancellationToken).AsTask().WaitAsync(TimeSpan.FromSeconds(30), TestContext.Current.CancellationToken);
        using var received = new StreamReader(client.GetStream());
        var lines = (await received.ReadToEndAsync(TestContext.Current.CancellationToken)).TrimEnd().Split('\n');

        Assert.True(await app.Ended() == 0, app.Printed);
        Assert.Contains("\"Message\":\"Hello, World!\"", lines[^1], StringComparison.Ordinal);
        Assert.Contains("kafka/default", string.Join('\n', lines) + app.Printed, StringComparison.Ordinal);
    }

    private async Task<FreshProject> NewProject(TempFolder folder, string template, string name)
    {
        var project = new FreshProject(packages, folder);
        await project.Run("new", "install", Path.Combine(packages.Folder, $"AsyncLog.Templates.{packages.Version}.nupkg"));
        await project.Run("new", template, "-n", name, "-o", "project", "--no-restore");
        return project;
    }
}
