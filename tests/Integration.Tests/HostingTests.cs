using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests;

public sealed class HostingTests
{
    private const int Records = 20_000;

    [Fact]
    public async Task A_generic_host_has_written_everything_when_it_has_stopped()
    {
        using var folder = new TempFolder();
        using (var host = Build(folder))
        {
            await host.StartAsync(TestContext.Current.CancellationToken);
            Log(host.Services.GetRequiredService<ILoggerFactory>());
            await host.StopAsync(TestContext.Current.CancellationToken);
        }

        AssertWritten(folder.Lines("logs", "tests.log"));
    }

    [Fact]
    public async Task Disposing_a_host_asynchronously_drains_too()
    {
        using var folder = new TempFolder();
        await using (var host = (IAsyncDisposable)Build(folder))
        {
            await ((IHost)host).StartAsync(TestContext.Current.CancellationToken);
            Log(((IHost)host).Services.GetRequiredService<ILoggerFactory>());
        }

        AssertWritten(folder.Lines("logs", "tests.log"));
    }

    [Fact]
    public void Disposing_a_factory_without_a_host_is_the_flush()
    {
        using var folder = new TempFolder();
        using (var factory = LoggerFactory.Create(logging => logging.AddAsyncFile(options => options.Path = folder.File("tool.log"))))
            Log(factory);

        AssertWritten(folder.Lines("tool.log"));
    }

    [Fact]
    public async Task Disposing_a_container_asynchronously_drains_too()
    {
        using var folder = new TempFolder();
        await using (var services = Services(folder))
            Log(services.GetRequiredService<ILoggerFactory>());

        AssertWritten(folder.Lines("tool.log"));
    }

    [Fact]
    public async Task A_flush_delivers_what_was_logged_before_it_and_the_status_balances()
    {
        using var folder = new TempFolder();
        await using var services = Services(folder);
        Log(services.GetRequiredService<ILoggerFactory>());
        var control = services.GetRequiredService<IAsyncLogControl>();

        Assert.True(await control.FlushAsync(TimeSpan.FromSeconds(30), TestContext.Current.CancellationToken));

        AssertWritten(folder.Lines("tool.log"));
        var status = control.GetStatus().Find("file/default")!;
        Assert.Equal((SinkState.Healthy, folder.File("tool.log")), (status.State, status.Target));
        Counters.AssertAddUp(status, Records);
        Assert.Equal((0, 0), (status.Dropped, status.QueueSize));
    }

    [Fact]
    public void Logging_after_dispose_is_harmless()
    {
        using var folder = new TempFolder();
        var factory = LoggerFactory.Create(logging => logging.AddAsyncFile(options => options.Path = folder.File("tool.log")));
        var logger = factory.CreateLogger("late");
        factory.Dispose();

        logger.LogInformation("nobody hears this");
        factory.Dispose();

        Assert.DoesNotContain(folder.Lines("tool.log"), static line => line.Contains("nobody", StringComparison.Ordinal));
    }

    [Fact]
    public void Each_instance_is_announced_once_with_its_file_and_bounds()
    {
        using var folder = new TempFolder();
        using (LoggerFactory.Create(logging => logging.AddAsyncFile(options => options.Path = folder.File("tool.log"))
            .AddAsyncFile("audit", static options => options.FileSizeLimit = 50 << 20)))
        {
            // nothing is logged by the application
        }

        foreach (var (instance, file, limit) in new[] { ("default", "tool.log", "100 MB"), ("audit", "tool-audit.log", "50 MB") })
        {
            var line = Assert.Single(folder.Lines(file));
            Assert.EndsWith($"[INF] AsyncLog: file \"{instance}\" -> {folder.File(file)} (text, roll Day or {limit}, keep 31)", line, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void Without_a_host_a_file_of_errors_does_not_begin_with_a_line_that_is_none()
    {
        using var folder = new TempFolder();
        using (LoggerFactory.Create(logging => logging.AddAsyncFile(options => options.Path = folder.File("tool.log"))
            .AddAsyncFile("errors", static options => options.LogLevel["Default"] = LogLevel.Error)
            .AddAsyncFile("debug", static options => options.MaxLevel = LogLevel.Debug)))
        {
            // nothing is logged by the application
        }

        Assert.Single(folder.Lines("tool.log"));
        Assert.Empty(folder.Lines("tool-errors.log"));
        Assert.Empty(folder.Lines("tool-debug.log"));
    }

    private static ServiceProvider Services(TempFolder folder)
        => new ServiceCollection().AddLogging(logging => logging.AddAsyncFile(options => options.Path = folder.File("tool.log"))).BuildServiceProvider();

    private static IHost Build(TempFolder folder)
    {
        var builder = Host.CreateApplicationBuilder(new HostApplicationBuilderSettings { ApplicationName = "tests", ContentRootPath = folder.Path });
        builder.Logging.ClearProviders().AddAsyncFile();
        return builder.Build();
    }

    private static void Log(ILoggerFactory factory)
    {
        var logger = factory.CreateLogger("Test");
        for (var number = 0; number < Records; number++)
            logger.LogInformation("record {Number}", number);
    }

    private static void AssertWritten(string[] lines)
    {
        var ours = lines.Where(static line => line.Contains("] Test: ", StringComparison.Ordinal)).Select(static line => line[(line.IndexOf("] Test: ", StringComparison.Ordinal) + 8)..]);
        Assert.Equal(Enumerable.Range(0, Records).Select(static number => FormattableString.Invariant($"record {number}")), ours);
    }
}
