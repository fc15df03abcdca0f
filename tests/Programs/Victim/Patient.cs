using System.Diagnostics;
using System.Globalization;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Victim;

/// <summary>The logger under test and what can be done with it.</summary>
internal sealed class Patient : IDisposable
{
    private readonly IDisposable _owner;
    private readonly IAsyncLogControl _control;
    private readonly Storm _storm;
    private Timer? _timer;

    private Patient(IDisposable owner, IServiceProvider services, IConfiguration configuration)
    {
        _owner = owner;
        _control = services.GetRequiredService<IAsyncLogControl>();
        _storm = new Storm(services.GetRequiredService<ILoggerFactory>().CreateLogger("Storm"), configuration["Ledger"]);
    }

    /// <summary>Without a host: nothing but the logger.</summary>
    public static Patient Alone(IConfiguration configuration)
    {
        var services = new ServiceCollection();
        services.AddSingleton(configuration);
        services.AddLogging(logging => AddTo(logging, configuration));
        var provider = services.BuildServiceProvider();
        return new Patient(provider, provider, configuration);
    }

    /// <summary>In a generic host, which is asked to stop by signals.</summary>
    public static Patient Hosted(IConfiguration configuration)
    {
        var builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());
        builder.Configuration.AddConfiguration(configuration);
        builder.Services.Configure<HostOptions>(options => options.ShutdownTimeout = TimeSpan.FromSeconds(configuration.GetValue("Host", 30)));
        AddTo(builder.Logging, builder.Configuration);
        var host = builder.Build();
        _ = Task.Run(async () =>
        {
            await host.RunAsync();
            Environment.Exit(0);
        });
        return new Patient(host, host.Services, configuration);
    }

    /// <summary>Does one command.</summary>
    /// <returns>What came of it, one line.</returns>
    public string Do(string[] words) => words[0] switch
    {
        "log" => Log(words),
        "storm" => _storm.Start(int.Parse(words[1], CultureInfo.InvariantCulture), words.Length > 2 ? long.Parse(words[2], CultureInfo.InvariantCulture) : 1),
        "halt" => _storm.Halt(),
        "flush" => Flush(words),
        "status" => Report.Of(_control.GetStatus()),
        "dispose" => Dispose(),
        "end" => End(words),
        _ => "unknown " + words[0],
    };

    void IDisposable.Dispose() => _owner.Dispose();

    private static void AddTo(ILoggingBuilder logging, IConfiguration configuration)
    {
        logging.AddConfiguration(configuration.GetSection("Logging"));
        if (configuration["CrashAt"] is { } point)
        {
            var definition = new FileSinkDefinition(new AsyncFileControl(), new CrashingFileSystem(point));
            SinkRegistration.Add(logging, definition, static services => new AsyncFileLoggerProvider(services), name: null, configure: null);
        }
        else
        {
            logging.AddAsyncFile();
        }
    }

    private string Log(string[] words)
    {
        var count = int.Parse(words[1], CultureInfo.InvariantCulture);
        var level = words.Length > 2 && words[0] == "log" ? Enum.Parse<LogLevel>(words[2]) : LogLevel.Information;
        var length = words.Length > 3 ? int.Parse(words[3], CultureInfo.InvariantCulture) : 0;
        for (var i = 0; i < count; i++)
            _storm.One(level, length);
        return "logged " + count.ToString(CultureInfo.InvariantCulture);
    }

    /// <summary>Logs some records and ends the process in the way that is named, without disposing anything.</summary>
    private string End(string[] words)
    {
        Log(words);
        switch (words[2])
        {
            case "throw":
                throw new InvalidOperationException("no way on");
            case "throw-thread":
                new Thread(static () => throw new InvalidOperationException("no way on")).Start();
                break;
            case "throw-pool":
                ThreadPool.QueueUserWorkItem(static _ => throw new InvalidOperationException("no way on"));
                break;
            case "throw-task":
                ThrowLater();
                break;
            case "throw-timer":
                _timer = new Timer(static _ => throw new InvalidOperationException("no way on"), null, 1, Timeout.Infinite);
                break;
            case "exit":
                Environment.Exit(3);
                break;
            case "exit-in-value":
                _storm.Logger.LogInformation("{Value}", new ExitingValue());
                break;
            case "exit-threads":
                for (var i = 0; i < 4; i++)
                    new Thread(static () => Environment.Exit(3)).Start();
                break;
            case "fail-fast":
                Environment.FailFast("no way on");
                break;
            case "kill":
                Process.GetCurrentProcess().Kill();
                break;
            case "overflow":
                Overflow(1);
                break;
        }

        Thread.Sleep(Timeout.Infinite);
        return "";
    }

    private static async void ThrowLater()
    {
        await Task.Yield();
        throw new InvalidOperationException("no way on");
    }

    private static int Overflow(int depth) => depth == 0 ? 0 : Overflow(depth + 1) + Overflow(depth + 2);

    private string Flush(string[] words)
    {
        var seconds = words.Length > 1 ? double.Parse(words[1], CultureInfo.InvariantCulture) : 20;
        return "flushed " + _control.FlushAsync(TimeSpan.FromSeconds(seconds)).GetAwaiter().GetResult();
    }

    private string Dispose()
    {
        var clock = Stopwatch.StartNew();
        _owner.Dispose();
        return string.Create(CultureInfo.InvariantCulture, $"disposed {clock.ElapsedMilliseconds}");
    }

    private sealed class ExitingValue
    {
        public override string ToString()
        {
            Environment.Exit(3);
            return "never";
        }
    }
}
