using AsyncLog.Tests.Vectors;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Replay;

namespace AsyncLog.Tests.Replay;

/// <summary>Generated logs through a real logger into files of all layouts, beside a provider that asks MEL's own formatter.</summary>
public sealed class ReplayedRecordsTests
{
    private static readonly string[] Logs = ["hdfs", "openssh", "openstack", "zookeeper"];

    [Theory]
    [InlineData(1, 1)]
    [InlineData(4, 2)]
    [InlineData(16, 3)]
    public async Task Every_record_says_in_every_layout_what_MEL_says_of_the_same_call(int threads, int repeat)
    {
        using var folder = new TempFolder();
        using var recorder = new MelRecorder();
        var logs = Logs.Select(static name => LogReader.Read(name, seed: 1, lines: 2000)).ToArray();
        long total;
        await using (var services = Build(folder, recorder))
        {
            var run = new ReplayRun(
                logs, services.GetRequiredService<ILoggerFactory>(), new ReplayOptions { Threads = threads, Repeat = repeat }, TimeProvider.System);
            run.Run(TestContext.Current.CancellationToken);
            var control = services.GetRequiredService<IAsyncLogControl>();
            Assert.True(await control.FlushAsync(TimeSpan.FromMinutes(1), TestContext.Current.CancellationToken));
            total = 8000L * repeat;
            Assert.Equal((total, total), (run.Total, run.Sent));
            Assert.Equal(
                ["file/clef", "file/default", "file/json", "file/text"], control.GetStatus().Instances.Select(static sink => sink.Name).Order(StringComparer.Ordinal));
            Assert.All(control.GetStatus().Instances, sink => Assert.Equal((total, total, 0), (sink.Offered, sink.Written, sink.Dropped)));
        }

        var said = recorder.Said.Order(StringComparer.Ordinal).ToArray();
        Assert.Equal(total, said.Length);
        Assert.Equal(said, Read(folder, "json", SaidRecord.OfJson));
        Assert.Equal(said, Read(folder, "clef", SaidRecord.OfClef));
        Assert.Equal(said.Select(SaidRecord.TextOf).Order(StringComparer.Ordinal), Read(folder, "text", static line => line));
    }

    private static string[] Read(TempFolder folder, string format, Func<string, string> said)
        => [.. File.ReadLines(folder.File(format)).Select(said).Order(StringComparer.Ordinal)];

    private static ServiceProvider Build(TempFolder folder, MelRecorder recorder)
    {
        var services = new ServiceCollection();
        services.AddLogging(logging =>
        {
            logging.SetMinimumLevel(LogLevel.Trace).AddProvider(recorder);
            foreach (var format in (string[])["text", "json", "clef"])
            {
                logging.AddAsyncFile(format, options =>
                {
                    options.Path = folder.File(format);
                    options.Format = format;
                    options.Template = format == "text" ? "{Level}|{Category}|{Message}{NewLine}" : null;
                    options.RollingInterval = RollingInterval.None;
                    // Each record shall come, however slow the disk is.
                    options.QueueFullMode = QueueFullMode.Wait;
                    options.WaitTimeout = TimeSpan.FromMinutes(1);
                });
            }
        });
        services.Configure<AsyncLogOptions>(static options => options.StartupReport = false);
        return services.BuildServiceProvider();
    }
}
