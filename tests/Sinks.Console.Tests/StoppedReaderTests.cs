using System.Diagnostics;
using System.Globalization;
using System.Text.RegularExpressions;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests;

/// <summary>A reader that never reads holds no caller, and costs exactly what is counted.</summary>
public sealed partial class StoppedReaderTests
{
    private const int Calls = 100_000;
    private const int QueueMemory = 1 << 20;

    [Fact]
    public async Task With_a_stopped_reader_calls_cost_what_they_cost_else_and_loss_is_counted_announced_and_exact()
    {
        var (reading, readAll) = await Log(isReading: true);
        var (stopped, readLate) = await Log(isReading: false);

        // Three times what the calls cost else, and never more than what a request notices.
        Assert.True(stopped.Slow < Math.Max(3 * reading.Slow, 100), $"p99.9 {stopped.Slow} µs with a stopped reader, {reading.Slow} µs with one that reads");
        AssertCounters(reading.Status, readAll);
        AssertCounters(stopped.Status, readLate);
        Assert.True(stopped.Status.DroppedBeforeAcceptance > 0);
        Assert.True(stopped.MostQueued <= QueueMemory, $"{stopped.MostQueued} bytes in the queue");
    }

    // Every record is in the stream or announced as dropped.
    private static void AssertCounters(SinkStatus status, string text)
    {
        var lines = text.Split('\n', StringSplitOptions.RemoveEmptyEntries);
        var announced = lines.Select(static line => Dropped().Match(line)).Where(static match => match.Success).Sum(static match => long.Parse(match.Groups[1].Value, CultureInfo.InvariantCulture));
        Assert.Equal(status.Dropped, announced);
        var numbers = lines.Select(static line => Request().Match(line)).Where(static match => match.Success).Select(static match => int.Parse(match.Groups[1].Value, CultureInfo.InvariantCulture)).ToList();
        Assert.Equal(Calls, numbers.Count + status.Dropped);
        // In their order, and none twice.
        Assert.Equal(numbers.Distinct().Order(), numbers);
        Counters.AssertAddUp(status, Calls);
        Assert.Equal(0, status.QueueSize + status.InFlight);
    }

    private static async Task<((double Slow, SinkStatus Status, long MostQueued) Result, string Text)> Log(bool isReading)
    {
        using var pipe = Descriptors.Pipe();
        var configuration = new ConfigurationBuilder().AddInMemoryCollection([
            new("AsyncLog:StartupReport", "false"), new("AsyncLog:SelfReportLevel", "None"), new("Logging:AsyncConsole:MaxQueueMemory", $"{QueueMemory}"),
        ]).Build();
        var services = new ServiceCollection().AddSingleton<IConfiguration>(configuration);
        services.AddLogging(logging => logging.AddConfiguration(configuration.GetSection("Logging"))
            .AddSink<AsyncConsoleLoggerProvider, AsyncConsoleLoggerOptions>(AsyncConsoleLoggingBuilderExtensions.DefinitionFor(logging, _ => Descriptors.StreamOf(pipe))));
        var provider = services.BuildServiceProvider();
        var logger = provider.GetRequiredService<ILoggerFactory>().CreateLogger("Shop.Orders");
        var control = provider.GetRequiredService<IAsyncLogControl>();
        var read = isReading ? pipe.ReadUntil() : null;

        var ticks = new long[Calls];
        var mostQueued = 0L;
        for (var call = 0; call < Calls; call++)
        {
            var start = Stopwatch.GetTimestamp();
            logger.LogInformation("request {Number}", call);
            ticks[call] = Stopwatch.GetTimestamp() - start;
            if (call % 1_000 == 0)
                mostQueued = Math.Max(mostQueued, control.GetStatus().Instances[0].QueueBytes);
        }

        read ??= pipe.ReadUntil();
        await Eventually.Holds(() => control.GetStatus().Instances[0] is { QueueSize: 0, InFlight: 0 });
        var status = control.GetStatus().Instances[0];
        await provider.DisposeAsync();
        pipe.CloseWriter();
        var text = await read;
        Array.Sort(ticks);
        return ((ticks[Calls * 999 / 1_000] * 1e6 / Stopwatch.Frequency, status, mostQueued), text);
    }

    [GeneratedRegex("Shop\\.Orders: request (\\d+)$")]
    private static partial Regex Request();

    [GeneratedRegex("(\\d+) records dropped")]
    private static partial Regex Dropped();
}
