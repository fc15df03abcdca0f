using System.Text;
using AsyncLog.Tests.Transport.Stream;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Transport;

/// <summary>Records on the disk whose form the settings no longer give.</summary>
public sealed class SpooledRecordsTests : IDisposable
{
    private const int Count = 5;
    private readonly string _folder = Directory.CreateTempSubdirectory("spool-").FullName;
    private readonly IConfigurationRoot _configuration = new ConfigurationBuilder().AddInMemoryCollection().Build();
    private readonly int _port = Ports.Free();

    [Theory]
    [InlineData(false, true)]
    [InlineData(true, false)]
    public void After_a_restart_with_another_SequenceId_spooled_records_are_set_aside_and_new_ones_arrive_in_whole_frames(bool before, bool after)
    {
        using (ServiceProvider away = Start(before))
            Log(away, 0);
        Assert.NotEmpty(Directory.EnumerateFiles(_folder, "*", SearchOption.AllDirectories));
        using var receiver = new StreamReceiver(endPoint: new System.Net.IPEndPoint(System.Net.IPAddress.Loopback, _port));
        using ServiceProvider back = Start(after);
        Log(back, Count);
        AssertOnlyNewRecordsArrive(back, receiver, after);
    }

    [Theory]
    [InlineData(false, true)]
    [InlineData(true, false)]
    public void After_a_reload_with_another_SequenceId_waiting_records_are_set_aside_and_new_ones_arrive_in_whole_frames(bool before, bool after)
    {
        using ServiceProvider services = Start(before);
        Log(services, 0);
        Eventually.True(() => StatusOf(services).State == SinkState.Degraded);
        Set(after);
        Eventually.True(() => StatusOf(services).Spooled == 0 && StatusOf(services).DroppedAfterAcceptance == Count);
        using var receiver = new StreamReceiver(endPoint: new System.Net.IPEndPoint(System.Net.IPAddress.Loopback, _port));
        Log(services, Count);
        AssertOnlyNewRecordsArrive(services, receiver, after);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void After_a_restart_with_the_same_SequenceId_spooled_records_arrive_first(bool isNumbered)
    {
        using (ServiceProvider away = Start(isNumbered))
            Log(away, 0);
        using var receiver = new StreamReceiver(endPoint: new System.Net.IPEndPoint(System.Net.IPAddress.Loopback, _port));
        using ServiceProvider back = Start(isNumbered);
        Log(back, Count);
        Eventually.True(() => receiver.Frames.Count == 2 * Count);
        Assert.Equal(Enumerable.Range(0, 2 * Count).Select(SyslogPipeline.NameOf), receiver.Frames.Select(MessageOf));
        Assert.Equal(0, StatusOf(back).Dropped);
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private void AssertOnlyNewRecordsArrive(ServiceProvider services, StreamReceiver receiver, bool isNumbered)
    {
        Eventually.True(() => receiver.Frames.Count >= Count);
        Assert.Equal(Enumerable.Range(Count, Count).Select(SyslogPipeline.NameOf), receiver.Frames.Select(MessageOf));
        Assert.All(receiver.Frames, frame => Assert.True(StrictRecord.Parses(Encoding.UTF8.GetBytes(frame)), frame));
        Assert.All(receiver.Frames, frame => Assert.Equal(isNumbered, frame.Contains("[meta sequenceId=", StringComparison.Ordinal)));
        Eventually.True(() => StatusOf(services).Written == Count);
        DropCount drop = Assert.Single(StatusOf(services).Drops);
        Assert.Equal((DropReason.SpoolForeign, (long)Count), (drop.Reason, drop.Count));
        string kept = string.Concat(Directory.EnumerateFiles(_folder, "*.seg", SearchOption.AllDirectories).Select(File.ReadAllText));
        Assert.All(Enumerable.Range(0, Count), number => Assert.Contains(" " + SyslogPipeline.NameOf(number), kept, StringComparison.Ordinal));
    }

    private static SinkStatus StatusOf(ServiceProvider services) => services.GetRequiredService<IAsyncLogControl>().GetStatus().Instances[0];

    private static string MessageOf(string frame) => frame[(frame.LastIndexOf(' ') + 1)..];

    private static void Log(ServiceProvider services, int first)
    {
        ILogger logger = services.GetRequiredService<ILoggerFactory>().CreateLogger("Shop.Cart");
        for (int i = first; i < first + Count; i++)
            logger.LogInformation("{Text}", SyslogPipeline.NameOf(i));
    }

    private ServiceProvider Start(bool isNumbered)
    {
        Set(isNumbered);
        var services = new ServiceCollection();
        services.AddSingleton<IConfiguration>(_configuration);
        services.AddLogging(builder => builder.AddConfiguration(_configuration.GetSection("Logging")).AddAsyncSyslog());
        services.Configure<AsyncLogOptions>(static options => (options.StartupReport, options.FlushOnCrash, options.SelfReportLevel) = (false, false, LogLevel.None));
        return services.BuildServiceProvider();
    }

    private void Set(bool isNumbered)
    {
        foreach (var (key, value) in ((string, string)[])
        [
            ("Endpoint", $"tcp://127.0.0.1:{_port}"), ("SequenceId", $"{isNumbered}"), ("SpoolPath", _folder), ("ShutdownTimeout", "500ms"),
            ("ReconnectDelay", "20ms"), ("GapNotices", "false"),
        ])
            _configuration[$"Logging:AsyncSyslog:{key}"] = value;
        _configuration.Reload();
    }
}
