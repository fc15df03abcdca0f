using System.Diagnostics;
using System.Globalization;
using AsyncLog;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

// Sends numbered records to a server: NetworkWriter <first> <records> <records per second> key=value ...
// Keys are those of section Logging: AsyncSyslog:Endpoint=tcp://127.0.0.1:601. Says "logged: n" for the calls of Log that returned, and "at t n" with the
// reading of the clock that all processes of the machine share. Then, at the line "end" or with the end of its input, drains and
// says "written: n dropped: n spooled: n uncertain: n".
var first = int.Parse(args[0], CultureInfo.InvariantCulture);
var records = int.Parse(args[1], CultureInfo.InvariantCulture);
var perSecond = int.Parse(args[2], CultureInfo.InvariantCulture);
var settings = args.Skip(3).ToDictionary(static option => "Logging:" + option[..option.IndexOf('=')], static option => (string?)option[(option.IndexOf('=') + 1)..]);
settings["AsyncLog:StartupReport"] = "false";
if (Environment.GetEnvironmentVariable("AsyncLog__CrashBufferPath") is { } crash)
    settings["AsyncLog:CrashBufferPath"] = crash;
var configuration = new ConfigurationBuilder().AddInMemoryCollection(settings).Build();
var services = new ServiceCollection()
    .AddSingleton<IConfiguration>(configuration)
    .AddLogging(logging =>
    {
        logging.AddConfiguration(configuration.GetSection("Logging"));
        if (configuration.GetSection("Logging:AsyncSyslog").Exists())
            logging.AddAsyncSyslog();
        if (configuration.GetSection("Logging:AsyncOtlp").Exists())
            logging.AddAsyncOtlp();
    })
    .BuildServiceProvider();
var logger = services.GetRequiredService<ILoggerFactory>().CreateLogger("NetworkWriter");
var control = services.GetRequiredService<IAsyncLogControl>();
var began = Stopwatch.GetTimestamp();
using var pace = new PeriodicTimer(TimeSpan.FromMilliseconds(10));
for (var logged = 0; logged < records;)
{
    for (var due = Math.Min(records, Stopwatch.GetElapsedTime(began).TotalSeconds * perSecond); logged < due; logged++)
        logger.LogInformation("<{Number} {Filler}>", first + logged, new string('x', 100));
    Console.WriteLine(FormattableString.Invariant($"at {Stopwatch.GetTimestamp()} {logged}"));
    Console.WriteLine(FormattableString.Invariant($"logged: {logged}"));
    await pace.WaitForNextTickAsync();
}

while (Console.ReadLine() is { } line && line != "end")
{
}

await services.DisposeAsync();
var status = control.GetStatus().Instances[0];
Console.WriteLine(FormattableString.Invariant($"written: {status.Written} dropped: {status.Dropped} spooled: {status.Spooled} uncertain: {status.Uncertain}"));
