using AsyncLog;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace Replay;

/// <summary>The program: reads the command line, the logs and the settings, sends, waits for the sinks, and reports.</summary>
internal static class ReplayCommand
{
    private const int AllWritten = 0;
    private const int SomeLost = 1;
    private const int Misused = 2;

    /// <returns>The exit code.</returns>
    public static async Task<int> RunAsync(string[] arguments, TextWriter output, TextWriter errors)
    {
        try
        {
            var options = ReplayOptions.Parse(arguments);
            if (options.ShowsHelp)
            {
                await output.WriteAsync(Usage.Text);
                return AllWritten;
            }
            var logs = options.Logs.Select(log => LogReader.Read(log, options.Seed, options.Lines)).ToArray();
            using var host = BuildHost(options);
            return await RunAsync(logs, host.Services, options, output, errors);
        }
        catch (Exception exception) when (exception is UsageException or OptionsValidationException)
        {
            await errors.WriteLineAsync(exception.Message);
            return Misused;
        }
        catch (InvalidDataException exception)
        {
            await errors.WriteLineAsync($"{exception.Message} {exception.InnerException?.Message}");
            return Misused;
        }
    }

    /// <summary>The sinks as the settings say. The host is not started: there is nothing to serve.</summary>
    private static IHost BuildHost(ReplayOptions options)
    {
        var settings = Path.GetFullPath(options.Settings ?? Path.Combine(AppContext.BaseDirectory, "appsettings.json"));
        if (!File.Exists(settings))
            throw new UsageException($"--settings '{settings}' is not valid: there is no such file");
        var builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings { ApplicationName = "Replay", ContentRootPath = Environment.CurrentDirectory });
        builder.Configuration
            .AddJsonFile(settings)
            .AddEnvironmentVariables()
            .AddInMemoryCollection(options.Overrides);
        var logging = builder.Configuration.GetSection("Logging");
        builder.Logging.AddConfiguration(logging);
        // A sink without a section would have its defaults, and with them an endpoint that was not configured.
        if (logging.GetSection("AsyncFile").Exists())
            builder.Logging.AddAsyncFile();
        if (logging.GetSection("AsyncSyslog").Exists())
            builder.Logging.AddAsyncSyslog();
        if (logging.GetSection("AsyncOtlp").Exists())
            builder.Logging.AddAsyncOtlp();
        var host = builder.Build();
        if (host.Services.GetService<IAsyncLogControl>() is not null)
            return host;
        host.Dispose();
        throw new UsageException($"{settings} configures no sink: expected a section Logging:AsyncFile, Logging:AsyncSyslog or Logging:AsyncOtlp");
    }

    private static async Task<int> RunAsync(ReplayLog[] logs, IServiceProvider services, ReplayOptions options, TextWriter output, TextWriter errors)
    {
        var time = TimeProvider.System;
        var control = services.GetRequiredService<IAsyncLogControl>();
        var run = new ReplayRun(logs, services.GetRequiredService<ILoggerFactory>(), options, time);
        using var cancellation = new CancellationTokenSource();
        ConsoleCancelEventHandler stop = (_, pressed) =>
        {
            // The first Ctrl+C ends the calls, and what was said is still written and counted; a second one ends the program.
            pressed.Cancel = !cancellation.IsCancellationRequested;
            cancellation.Cancel();
        };
        Console.CancelKeyPress += stop;
        using var progress = options.IsQuiet ? null : new Progress(run, control, errors, time);
        var start = time.GetTimestamp();
        run.Run(cancellation.Token);
        var calling = time.GetElapsedTime(start);
        var isFlushed = await control.FlushAsync(options.FlushTimeout, CancellationToken.None);
        var status = control.GetStatus();
        Console.CancelKeyPress -= stop;
        ReplayReport.Print(output, run, options, status, calling, time.GetElapsedTime(start));
        if (!isFlushed)
            await errors.WriteLineAsync("not everything was written: see dropped and waiting");
        return isFlushed && status.Instances.All(static sink => sink.Dropped == 0) ? AllWritten : SomeLost;
    }
}
