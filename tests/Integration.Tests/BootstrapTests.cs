using System.Globalization;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests;

/// <summary>Logging before the host is built, with tests/Programs/Startup: 1,000 lines before it, then what the test says.</summary>
public sealed class BootstrapTests
{
    private const int Before = 1_000;

    [Theory]
    [InlineData("Append")]
    [InlineData("Truncate")]
    [InlineData("Roll")]
    public async Task The_host_takes_the_open_file_over_and_every_line_is_there_once_and_in_order(string onStartup)
    {
        using var folder = new TempFolder();
        using var program = await Run(folder, 0, "run", "--Logging:AsyncFile:ExistingFile=" + onStartup);

        Assert.Equal([folder.File("logs", "Startup.log"), "instances 1", "reopened True"], program.Output);
        Assert.Equal(
            [.. Lines(Before), "AsyncLog: ", "Microsoft.Hosting.Lifetime: Application started. Press Ctrl+C to shut down.", "Host: running", "Startup: beside the host", "Startup: after the host"],
            Messages(folder));
        Assert.Equal([folder.File("logs", "Startup.log")], Directory.GetFiles(folder.File("logs")));
    }

    [Fact]
    public async Task A_host_that_does_not_start_leaves_its_exception_in_the_file()
    {
        using var folder = new TempFolder();
        using var program = await Run(folder, 0, "fail");

        var messages = Messages(folder);
        Assert.Equal(Lines(Before), messages.Take(Before));
        Assert.Single(messages, "Startup: the host failed");
        Assert.Contains(folder.Lines("logs", "Startup.log"), static line => line.Contains("the port is taken", StringComparison.Ordinal));
    }

    [Fact]
    public async Task An_unhandled_exception_before_the_host_is_recorded_once_behind_all_lines()
    {
        using var folder = new TempFolder();
        using var program = await Run(folder, null, "throw");

        Assert.Equal([.. Lines(Before), "AsyncLog: Unhandled exception; the process ends."], Messages(folder));
        Assert.Contains(folder.Lines("logs", "Startup.log"), static line => line.Contains("no host today", StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_signal_before_the_host_is_built_loses_no_line()
    {
        using var folder = new TempFolder();
        using var program = Start(folder, "wait");
        await Eventually.Holds(() => program.Output.Contains("ready"), () => program.Printed);
        program.Signal("TERM");

        Assert.Equal(128 + 15, await program.Ended());
        Assert.Equal(Lines(Before), Messages(folder));
    }

    [Fact]
    public async Task After_SIGTERM_to_a_host_that_has_taken_over_what_is_left_is_reported_once_and_at_the_end()
    {
        using var folder = new TempFolder();
        // A file in place of the directory: nothing can be delivered.
        await File.WriteAllTextAsync(folder.File("logs"), "", TestContext.Current.CancellationToken);
        using var program = Start(folder, "serve", "--Logging:AsyncFile:ShutdownTimeout=3s");
        await Eventually.Holds(() => program.Output.Contains("ready"), () => program.Printed);
        program.Signal("TERM");

        Assert.Equal(0, await program.Ended());
        var report = Assert.Single(program.Errors, static line => line.Contains(" left when ", StringComparison.Ordinal));
        Assert.DoesNotContain(
            program.Errors.SkipWhile(line => line != report).Skip(1), static line => !line.Contains(" lost in all: ", StringComparison.Ordinal));
        Assert.EndsWith(" records were left when the ShutdownTimeout of 3s expired, and are lost.", report, StringComparison.Ordinal);
        // Those before the host, and those that the host and AsyncLog say of themselves.
        Assert.InRange(int.Parse(report.Split(" records were left")[0].Split(' ')[^1], CultureInfo.InvariantCulture), Before + 1, Before + 20);
    }

    [Fact]
    public async Task An_exception_that_leaves_its_using_block_loses_no_line()
    {
        using var folder = new TempFolder();
        using var program = await Run(folder, null, "use");

        Assert.Equal(Lines(Before), Messages(folder));
    }

    [Fact]
    public async Task Disposed_before_the_host_is_built_it_leaves_the_file_to_the_sinks_of_the_host()
    {
        using var folder = new TempFolder();
        using var program = await Run(folder, 0, "apart");

        Assert.Equal(
            [.. Lines(Before), "AsyncLog: ", "Microsoft.Hosting.Lifetime: Application started. Press Ctrl+C to shut down.", "Host: running"], Messages(folder));
    }

    [Fact]
    public void Levels_of_the_host_are_in_force_once_it_has_taken_over_also_after_a_reload()
    {
        using var folder = new TempFolder();
        var settings = new Dictionary<string, string?> { ["Logging:LogLevel:Default"] = "Information", ["Logging:AsyncFile:Path"] = folder.File("app.log") };
        var configuration = new ConfigurationBuilder().AddInMemoryCollection(settings).Build();
        var builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings { ContentRootPath = folder.Path });
        builder.Configuration.AddConfiguration(configuration);
        builder.Logging.AddConfiguration(configuration.GetSection("Logging"));
        using (var startup = AsyncLogBootstrap.Create(builder.Configuration, static logging => logging.AddAsyncFile()))
        {
            startup.CreateLogger("Quiet").LogInformation("before");
            builder.Logging.AddAsyncLogBootstrap(startup);
            builder.Services.Configure<LoggerFilterOptions>(static options => options.Rules.Add(new LoggerFilterRule("AsyncFile", "Quiet", LogLevel.Error, filter: null)));
            using var host = builder.Build();
            var logger = host.Services.GetRequiredService<ILoggerFactory>().CreateLogger("Quiet");
            logger.LogInformation("not said");
            logger.LogError("said");
            configuration.Reload();
            logger.LogInformation("not said");
            logger.LogError("said again");
        }

        Assert.Equal(["Quiet: before", "Quiet: said", "Quiet: said again"], folder.Lines("app.log").Select(static line => line[(line.IndexOf("] ", StringComparison.Ordinal) + 2)..]));
    }

    [Fact]
    public void An_invalid_configuration_is_told_where_the_factory_is_made()
    {
        var configuration = new ConfigurationBuilder().AddInMemoryCollection([new("Logging:AsyncFile:RollingInterval", "Daily")]).Build();

        var exception = Assert.ThrowsAny<Microsoft.Extensions.Options.OptionsValidationException>(() => AsyncLogBootstrap.Create(configuration, static logging => logging.AddAsyncFile()));

        Assert.Equal(
            ["Logging:AsyncFile:RollingInterval 'Daily' is not valid: expected None, Year, Month, Week, Day, Hour or Minute; did you mean 'Day'?"],
            exception.Failures);
    }

    private static async Task<ChildProgram> Run(TempFolder folder, int? code, params string[] arguments)
    {
        var program = Start(folder, arguments);
        var ended = await program.Ended();
        Assert.True(code is null ? ended != 0 : ended == code, program.Printed);
        return program;
    }

    private static ChildProgram Start(TempFolder folder, params string[] arguments)
        => new("dotnet", [Path.Combine(Repository.TestProgram("Startup"), "Startup.dll"), .. arguments], folder.Path);

    private static IEnumerable<string> Lines(int count) => Enumerable.Range(1, count).Select(static number => $"Startup: before {number}");

    // Category and message, without the lines of exceptions; of AsyncLog's own start-up line, which names the file, the category.
    private static List<string> Messages(TempFolder folder)
        => [.. folder.Lines("logs", "Startup.log").Where(static line => line.Length > 0 && char.IsAsciiDigit(line[0]))
            .Select(static line => line[(line.IndexOf("] ", StringComparison.Ordinal) + 2)..])
            .Where(static line => !line.StartsWith("Microsoft.Hosting.Lifetime: ", StringComparison.Ordinal) || line.EndsWith("shut down.", StringComparison.Ordinal))
            .Select(static line => line.StartsWith("AsyncLog: file ", StringComparison.Ordinal) ? "AsyncLog: " : line)];
}
