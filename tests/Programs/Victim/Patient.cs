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
        "storm" => _storm.Start(int.Parse(words[1], CultureInfo.InvariantCulture)),
        "halt" => _storm.Halt(),
        "flush" => Flush(words),
        "status" => Report.Of(_control.GetStatus()),
        "dispose" => Dispose(),
        _ => "unknown " + words[0],
    };

    void IDisposable.Dispose() => _owner.Dispose();

    private static void AddTo(ILoggingBuilder logging, IConfiguration configuration)
    {
        logging.AddConfiguration(configuration.GetSection("Logging"));
        if (configuration["CrashAt"] is { } point)
            logging.AddSink<AsyncFileLoggerProvider, AsyncFileOptions>(AsyncFileSinkType.Create(new AsyncFileControl(), new CrashingByteFiles(point)));
        else
            logging.AddAsyncFile();
    }

    private string Log(string[] words)
    {
        var count = int.Parse(words[1], CultureInfo.InvariantCulture);
        var level = words.Length > 2 ? Enum.Parse<LogLevel>(words[2]) : LogLevel.Information;
        var length = words.Length > 3 ? int.Parse(words[3], CultureInfo.InvariantCulture) : 0;
        for (var i = 0; i < count; i++)
            _storm.One(level, length);
        return "logged " + count.ToString(CultureInfo.InvariantCulture);
    }

    private string Flush(string[] words)
    {
        var seconds = words.Length > 1 ? double.Parse(words[1], CultureInfo.InvariantCulture) : 20;
        return "flushed " + _control.FlushAsync(TimeSpan.FromSeconds(seconds)).AsTask().GetAwaiter().GetResult();
    }

    private string Dispose()
    {
        var clock = Stopwatch.StartNew();
        _owner.Dispose();
        return string.Create(CultureInfo.InvariantCulture, $"disposed {clock.ElapsedMilliseconds}");
    }
}
