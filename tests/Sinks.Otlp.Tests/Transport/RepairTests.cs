using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Transport;

/// <summary>Edits of the configuration while the collector does not take records.</summary>
public sealed class RepairTests : IDisposable
{
    private const string Section = "Logging:AsyncOtlp:";
    private readonly IConfigurationRoot _configuration = MemorySource.Build([(Section + "ShutdownTimeout", "1s"), (Section + "ScheduledDelay", "10ms")]);
    private ServiceProvider? _services;

    private SinkStatus Status => _services!.GetRequiredService<IAsyncLogControl>().GetStatus().Instances[0];

    public void Dispose() => _services?.Dispose();

    [Fact]
    public void A_corrected_endpoint_gets_every_record_that_waits_in_order()
    {
        using var wrong = new StubCollector { Answer = new StubAnswer { Status = 503, IsForEver = true } };
        using var right = new StubCollector();
        ILogger logger = Start(wrong);
        Log(logger, 0, 5000);
        Eventually.True(() => Status.Retries > 1);

        Edit("Endpoint", right.Address.ToString());
        Log(logger, 5000, 5010);

        Eventually.True(() => Status.Written == 5010);
        Assert.Equal(Bodies(5010), right.Requests.SelectMany(static request => request.Bodies));
        Assert.Equal(0, Status.Dropped);
    }

    [Fact]
    public void A_rotated_token_delivers_every_record_that_waits()
    {
        using var collector = new StubCollector { AnswerTo = static request => IsFresh(request) ? StubAnswer.Ok : StubAnswer.Code(401) };
        ILogger logger = Start(collector, ("Headers:api-key", "stale"));
        Log(logger, 0, 1000);
        Eventually.True(() => Status.Retries > 1);

        Edit("Headers:api-key", "fresh");

        Eventually.True(() => Status.Written == 1000);
        Assert.Equal(Bodies(1000), collector.Requests.Where(IsFresh).SelectMany(static request => request.Bodies));
        Assert.Equal(0, Status.Dropped);
    }

    [Fact]
    public void A_corrected_time_out_reaches_an_instance_whose_requests_all_fail()
    {
        using var collector = new StubCollector { Answer = StubAnswer.Ok with { After = TimeSpan.FromMilliseconds(400) } };
        ILogger logger = Start(collector, ("Timeout", "50ms"));
        Log(logger, 0, 1);
        Eventually.True(() => Status.LastError is { Type: "timeout" });

        Edit("Timeout", "10s");

        Eventually.True(() => Status.Written == 1);
    }

    private static bool IsFresh(StubRequest request) => request.Headers["api-key"] == "fresh";

    private static void Log(ILogger logger, int from, int to)
    {
        for (int i = from; i < to; i++)
            logger.LogInformation("{Number}", i);
    }

    private static IEnumerable<string> Bodies(int count) => Enumerable.Range(0, count).Select(static i => $"{i}");

    private ILogger Start(StubCollector collector, params ReadOnlySpan<(string Key, string Value)> values)
    {
        MemorySource memory = MemorySource.Of(_configuration);
        memory.Change(Section + "Endpoint", collector.Address.ToString());
        foreach ((string key, string value) in values)
            memory.Change(Section + key, value);
        _services = new ServiceCollection()
            .AddLogging(logging => logging.AddConfiguration(_configuration.GetSection("Logging")).AddAsyncOtlp())
            .Configure<AsyncLogOptions>(static options => (options.StartupReport, options.SelfReportLevel, options.FlushOnCrash) = (false, LogLevel.None, false))
            .BuildServiceProvider();
        return _services.GetRequiredService<ILoggerFactory>().CreateLogger("Test");
    }

    private void Edit(string key, string value)
    {
        MemorySource.Of(_configuration).Change(Section + key, value);
        _configuration.Reload();
    }
}
