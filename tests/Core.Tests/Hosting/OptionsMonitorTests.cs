using AsyncLog.Tests.Configuration;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace AsyncLog.Tests.Hosting;

/// <summary>Options that an application asks the container for: those in force.</summary>
public sealed class OptionsMonitorTests
{
    private const string Section = "Logging:AsyncProbe:";

    [Fact]
    public void Options_from_the_container_have_section_and_code_and_follow_edits()
    {
        using ProbeFactory factory = new(
            [(Section + "FileSizeLimit", "5MB"), (Section + "Files:errors:RetainedFileCountLimit", "7"), (Section + "Files:more:Header", "h"), (Section + "Path", "logs/x.log")],
            builder => builder.AddProbe(Probe.Type(), options => options.Greeting = "from code").AddProbe(Probe.Type(), "errors", options => options.ReservedPercentage = 5));
        ProbeOptions main = factory.Container.GetRequiredService<IOptions<ProbeOptions>>().Value;
        Assert.Equal((5L << 20, "from code"), (main.FileSizeLimit, main.Greeting));
        IOptionsMonitor<ProbeOptions> monitor = factory.Container.GetRequiredService<IOptionsMonitor<ProbeOptions>>();
        ProbeOptions errors = monitor.Get("errors");
        Assert.Equal((5L << 20, "from code", 7, 5), (errors.FileSizeLimit, errors.Greeting, errors.RetainedFileCountLimit, errors.ReservedPercentage));
        Assert.Equal("h", monitor.Get("more").Header);

        Assert.Equal(5L << 20, monitor.CurrentValue.FileSizeLimit);
        factory.EditAndApply((Section + "FileSizeLimit", "6MB"));
        Assert.Equal(6L << 20, monitor.CurrentValue.FileSizeLimit);
        Assert.Equal(6L << 20, monitor.Get("errors").FileSizeLimit);
        Assert.Equal(6L << 20, monitor.Get("more").FileSizeLimit);
        Assert.Equal(5L << 20, factory.Container.GetRequiredService<IOptions<ProbeOptions>>().Value.FileSizeLimit);
    }

    [Fact]
    public void Options_from_the_container_are_those_of_the_running_instances()
    {
        using ProbeFactory factory = new([(Section + "Main", "true"), (Section + "Path", "logs/x.log"), (Section + "Files:a:Header", "h")]);
        IOptionsMonitor<ProbeOptions> monitor = factory.Container.GetRequiredService<IOptionsMonitor<ProbeOptions>>();

        Assert.EndsWith(Path.Combine("logs", "x.log"), monitor.CurrentValue.ResolvedPath, StringComparison.Ordinal);
        Assert.Equal(["default", "a"], factory.Configuration.Current.Instances.Select(instance => instance.Name));
        Assert.EndsWith(Path.Combine("logs", "x.log"), monitor.Get("Default").ResolvedPath, StringComparison.Ordinal);
        Assert.Equal("h", monitor.Get("A").Header);
        Assert.EndsWith(Path.Combine("logs", "x-a.log"), monitor.Get("A").ResolvedPath, StringComparison.Ordinal);

        // Read as an instance of that name would be.
        Assert.Equal("logs/x.log", monitor.Get("none").ParentPath);
    }

    [Fact]
    public void An_edit_is_seen_when_it_is_in_force_and_not_before()
    {
        using ProbeFactory factory = new([(Section + "Path", "x.log"), (Section + "Files:a:Header", "h")]);
        IOptionsMonitor<ProbeOptions> monitor = factory.Container.GetRequiredService<IOptionsMonitor<ProbeOptions>>();
        List<(string? Name, long? Limit)> heard = [];
        monitor.OnChange((options, name) => heard.Add((name, options.FileSizeLimit)));
        _ = monitor.Get("a");

        factory.Edit((Section + "FileSizeLimit", "6MB"));
        Assert.Empty(heard);
        Assert.Equal(100L << 20, monitor.Get("a").FileSizeLimit);
        factory.Time.Advance(TimeSpan.FromMilliseconds(250));

        Assert.Equal([("", 6L << 20)], heard);
        Assert.Equal(6L << 20, monitor.Get("a").FileSizeLimit);
    }

    [Theory]
    [InlineData("FileSizeLimit", "much")]
    [InlineData("Password", "guess")]
    [InlineData("Files:a:Template", "{Message")]
    public void A_wrong_edit_keeps_the_last_good_options(string key, string value)
    {
        using ProbeFactory factory = new([(Section + "Path", "x.log"), (Section + "Files:a:Header", "old")]);
        IOptionsMonitor<ProbeOptions> monitor = factory.Container.GetRequiredService<IOptionsMonitor<ProbeOptions>>();

        factory.EditAndApply((Section + key, value), (Section + "Files:a:Header", "new"));

        Assert.NotEmpty(factory.Configuration.Current.Problems);
        Assert.Equal("old", monitor.Get("a").Header);
        factory.EditAndApply((Section + key, null));
        Assert.Equal("new", monitor.Get("a").Header);
    }

    [Fact]
    public void A_listener_that_throws_does_not_stop_reloads()
    {
        using ProbeFactory factory = new([(Section + "Path", "x.log")]);
        int thrown = 0;
        factory.Container.GetRequiredService<IOptionsMonitor<ProbeOptions>>().OnChange(_ =>
        {
            thrown++;
            throw new InvalidOperationException("no");
        });

        factory.EditAndApply((Section + "FileSizeLimit", "6MB"));
        factory.EditAndApply((Section + "FileSizeLimit", "7MB"));

        Assert.Equal((2, 7L << 20), (thrown, factory.Configuration.Current.Instances[0].Options.FileSizeLimit));
    }

    [Fact]
    public void Wrong_options_from_the_container_say_what_is_wrong()
    {
        IConfigurationRoot configuration = MemorySource.Build([("Logging:AsyncProbe:FileSizeLimit", "much")]);
        using ServiceProvider services = new ServiceCollection()
            .AddLogging(builder => builder.AddConfiguration(configuration.GetSection("Logging")).AddProbe(Probe.Type()))
            .BuildServiceProvider();
        OptionsValidationException exception = Assert.ThrowsAny<OptionsValidationException>(() => services.GetRequiredService<IOptions<ProbeOptions>>().Value);
        Assert.Equal("Logging:AsyncProbe:FileSizeLimit 'much' is not valid: expected a size such as 4096, 64KB or 1.5GB", exception.Message);
    }

    [Fact]
    public void The_process_wide_options_from_the_container_have_section_and_code_and_follow_good_edits()
    {
        using ProbeFactory factory = new(
            [("AsyncLog:SelfReportLevel", "Error"), ("AsyncLog:Strict", "true")], builder => builder.Services.Configure<AsyncLogOptions>(options => options.Strict = false));
        IOptionsMonitor<AsyncLogOptions> monitor = factory.Container.GetRequiredService<IOptionsMonitor<AsyncLogOptions>>();
        Assert.Equal((LogLevel.Error, false), (monitor.CurrentValue.SelfReportLevel, monitor.CurrentValue.Strict));

        factory.EditAndApply(("AsyncLog:SelfReportLevel", "Debug"));
        Assert.Equal(LogLevel.Debug, monitor.CurrentValue.SelfReportLevel);
        factory.EditAndApply(("AsyncLog:SelfReportLevel", "loud"));
        Assert.Equal(LogLevel.Debug, monitor.CurrentValue.SelfReportLevel);
    }
}
