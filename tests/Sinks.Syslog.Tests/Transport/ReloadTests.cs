using AsyncLog.Tests.Transport.Datagram;
using AsyncLog.Tests.Transport.Stream;
using AsyncLog.Tests.Transport.Tls;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Transport;

/// <summary>Changes of the configuration while records flow.</summary>
public sealed class ReloadTests : IDisposable
{
    private readonly IConfigurationRoot _configuration = new ConfigurationBuilder().AddInMemoryCollection().Build();
    private ServiceProvider? _services;

    [Fact]
    public void A_changed_limit_keeps_the_connection_and_what_is_queued()
    {
        using var receiver = new StreamReceiver();
        ILogger logger = Start(receiver.Port);
        Log(logger, 0, 1000);
        Set(("ConnectTimeout", "7s"), ("ReconnectDelay", "90ms"), ("Facility", "local3"));
        int logged = 1000;
        // The new facility shows that the change is in force.
        Eventually.True(() => receiver.Frames.Exists(static frame => frame.StartsWith("<158>", StringComparison.Ordinal)), () => Log(logger, logged++, 1));
        Assert.True(Flush());
        Eventually.True(() => receiver.Frames.Count == logged);
        Assert.Equal(Enumerable.Range(0, logged).Select(SyslogPipeline.NameOf), Messages(receiver));
        Assert.Single(receiver.Connections);
    }

    [Fact]
    public void A_changed_template_comes_into_force_on_the_same_connection()
    {
        using var receiver = new StreamReceiver();
        ILogger logger = Start(receiver.Port);
        Log(logger, 0, 1);
        Set(("Template", "{Category}: {Message}"));
        int logged = 1;
        Eventually.True(
            () => receiver.Frames.Exists(frame => frame.EndsWith("] Shop.Cart: " + SyslogPipeline.NameOf(logged - 1), StringComparison.Ordinal)),
            () => Log(logger, logged++, 1));
        Assert.True(Flush());
        Eventually.True(() => receiver.Frames.Count == logged);
        Assert.Equal(Enumerable.Range(0, logged).Select(SyslogPipeline.NameOf), Messages(receiver));
        Assert.Single(receiver.Connections);
    }

    [Fact]
    public void Another_endpoint_gets_what_is_logged_from_then_on_and_nothing_is_lost_or_doubled()
    {
        using var first = new StreamReceiver();
        using var second = new StreamReceiver();
        ILogger logger = Start(first.Port);
        Log(logger, 0, 1000);
        Set(("Endpoint", $"tcp://127.0.0.1:{second.Port}"));
        int logged = 1000;
        Eventually.True(() => second.Frames.Count > 0, () => Log(logger, logged++, 1));
        Assert.True(Flush());
        Eventually.True(() => first.Frames.Count + second.Frames.Count >= logged);
        Assert.Equal(Enumerable.Range(0, logged).Select(SyslogPipeline.NameOf), [.. Messages(first), .. Messages(second)]);
        Eventually.True(() => first.Connections[0].HasEnded);
    }

    [Fact]
    public void Another_endpoint_is_in_force_also_while_it_is_away()
    {
        using var first = new StreamReceiver();
        int port = Ports.Free();
        ILogger logger = Start(first.Port);
        Log(logger, 0, 10);
        Assert.True(Flush());
        Set(("Endpoint", $"tcp://127.0.0.1:{port}"));
        IAsyncLogControl control = _services!.GetRequiredService<IAsyncLogControl>();
        Eventually.True(() => control.GetStatus().Instances[0].Target == $"tcp://127.0.0.1:{port}");
        Eventually.True(() => first.Connections[0].HasEnded);
        Log(logger, 10, 10);
        using var second = new StreamReceiver(endPoint: new System.Net.IPEndPoint(System.Net.IPAddress.Loopback, port));
        Assert.True(Flush());
        Eventually.True(() => second.Frames.Count == 10);
        Assert.Equal(Enumerable.Range(0, 10).Select(SyslogPipeline.NameOf), Messages(first));
        Assert.Equal(Enumerable.Range(10, 10).Select(SyslogPipeline.NameOf), Messages(second));
    }

    [Fact]
    public void What_waits_for_a_receiver_that_is_away_goes_to_the_new_one_in_order()
    {
        int port = Ports.Free();
        ILogger logger = Start(port);
        Log(logger, 0, 1000);
        IAsyncLogControl control = _services!.GetRequiredService<IAsyncLogControl>();
        Eventually.True(() => control.GetStatus().Instances[0].State == SinkState.Degraded);
        using var second = new StreamReceiver();
        Set(("Endpoint", $"tcp://127.0.0.1:{second.Port}"));
        Eventually.True(() => control.GetStatus().Instances[0].Target == $"tcp://127.0.0.1:{second.Port}");
        Log(logger, 1000, 1000);
        Eventually.True(() => second.Frames.Count >= 2000);
        Assert.Equal(Enumerable.Range(0, 2000).Select(SyslogPipeline.NameOf), Messages(second));
        Assert.True(Flush());
        SinkStatus status = control.GetStatus().Instances[0];
        Assert.Equal((2000L, 0L, 0L), (status.Written, status.Dropped, status.Uncertain));
    }

    [Fact]
    public void What_waits_as_other_bytes_than_the_new_receiver_takes_is_counted()
    {
        int port = Ports.Free();
        ILogger logger = Start(port);
        Log(logger, 0, 10);
        IAsyncLogControl control = _services!.GetRequiredService<IAsyncLogControl>();
        Eventually.True(() => control.GetStatus().Instances[0].State == SinkState.Degraded);
        using var second = new DatagramReceiver(new System.Net.IPEndPoint(System.Net.IPAddress.Loopback, 0));
        Set(("Endpoint", $"udp://127.0.0.1:{second.Port}"), ("ShutdownTimeout", "100ms"));
        Eventually.True(() => control.GetStatus().Instances[0].Target == $"udp://127.0.0.1:{second.Port}");
        Eventually.True(() => control.GetStatus().Instances[0].DroppedAfterAcceptance == 10);
        Log(logger, 10, 10);
        Eventually.True(() => second.Records.Count == 10);
        Assert.Equal(Enumerable.Range(10, 10).Select(SyslogPipeline.NameOf), second.Records.Select(MessageOf));
        Assert.Equal((DropReason.ShutdownTimeout, 10L), Assert.Single(control.GetStatus().Instances[0].Drops.Select(static drop => (drop.Reason, drop.Count))));
    }

    [Fact]
    public void Replacing_an_unverified_receiver_makes_the_instance_healthy_again()
    {
        using var unverified = new TlsReceiver("otherca-server");
        using var receiver = new StreamReceiver();
        Start($"tls://127.0.0.1:{unverified.Port}", static options => options.Tls.DangerousAcceptAnyServerCertificate = true);
        IAsyncLogControl control = _services!.GetRequiredService<IAsyncLogControl>();
        Eventually.True(() => control.GetStatus().Instances[0] is { State: SinkState.Degraded, Reason: "any_certificate" });
        Set(("Endpoint", $"tcp://127.0.0.1:{receiver.Port}"));
        Eventually.True(() => control.GetStatus().Instances[0].State == SinkState.Healthy);
    }

    public void Dispose() => _services?.Dispose();

    private ILogger Start(int port) => Start($"tcp://127.0.0.1:{port}", static _ => { });

    private ILogger Start(string endpoint, Action<AsyncSyslogLoggerOptions> configure)
    {
        Set(("Endpoint", endpoint), ("ReconnectDelay", "20ms"), ("GapNotices", "false"));
        var services = new ServiceCollection();
        services.AddSingleton<IConfiguration>(_configuration);
        services.AddLogging(builder => builder.AddConfiguration(_configuration.GetSection("Logging")).AddAsyncSyslog(configure));
        services.Configure<AsyncLogOptions>(static options => (options.StartupReport, options.FlushOnCrash, options.SelfReportLevel) = (false, false, LogLevel.None));
        _services = services.BuildServiceProvider();
        return _services.GetRequiredService<ILoggerFactory>().CreateLogger("Shop.Cart");
    }

    private void Set(params (string Key, string Value)[] options)
    {
        foreach (var (key, value) in options)
            _configuration[$"Logging:AsyncSyslog:{key}"] = value;
        _configuration.Reload();
    }

    private bool Flush()
        => _services!.GetRequiredService<IAsyncLogControl>().FlushAsync(TimeSpan.FromSeconds(20), TestContext.Current.CancellationToken).GetAwaiter().GetResult();

    private static void Log(ILogger logger, int first, int count)
    {
        for (int i = first; i < first + count; i++)
            logger.LogInformation("{Text}", SyslogPipeline.NameOf(i));
    }

    private static IEnumerable<string> Messages(StreamReceiver receiver) => receiver.Frames.Select(MessageOf);

    private static string MessageOf(string record) => record[(record.LastIndexOf(' ') + 1)..];
}
