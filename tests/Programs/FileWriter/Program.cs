using System.Globalization;
using AsyncLog;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

// One of several processes that write one file: FileWriter <writer> <records> <folder> [option=value ...]
// Says "ready", begins at the line "go", says "written: n dropped: n" when everything is delivered, ends at the line "end" or with its input.
// With 0 records it writes one each millisecond until the end.
var writer = args[0];
var records = int.Parse(args[1], CultureInfo.InvariantCulture);
var folder = args[2];
var settings = new Dictionary<string, string?>
{
    ["Logging:AsyncFile:Path"] = Path.Combine(folder, "shared.log"),
    ["Logging:AsyncFile:Template"] = "{Message}{NewLine}",
    ["Logging:AsyncFile:QueueFullMode"] = "Wait",
    ["Logging:AsyncFile:WaitTimeout"] = "1m",
    ["AsyncLog:StartupReport"] = "false",
};
foreach (var option in args.Skip(3))
    settings["Logging:AsyncFile:" + option[..option.IndexOf('=')]] = option[(option.IndexOf('=') + 1)..];
var configuration = new ConfigurationBuilder().AddInMemoryCollection(settings).Build();

await using var services = new ServiceCollection()
    .AddSingleton<IConfiguration>(configuration)
    .AddLogging(logging => logging.AddConfiguration(configuration.GetSection("Logging")).AddAsyncFile())
    .BuildServiceProvider();
var logger = services.GetRequiredService<ILoggerFactory>().CreateLogger("FileWriter");
var control = services.GetRequiredService<IAsyncLogControl>();

Console.WriteLine("ready");
if (Console.ReadLine() != "go")
    return 1;
var end = Task.Factory.StartNew(Console.ReadLine, TaskCreationOptions.LongRunning);
using var pace = new PeriodicTimer(TimeSpan.FromMilliseconds(1));
var written = 0;
for (; records == 0 ? !end.IsCompleted : written < records; written++)
{
    logger.LogInformation("<{Writer} {Number} {Filler}>", writer, written, new string((char)('a' + (written % 26)), 40 + (written % 60)));
    if (records == 0)
        await pace.WaitForNextTickAsync();
}

var patience = Environment.GetEnvironmentVariable("FLUSH_SECONDS") is { } seconds ? int.Parse(seconds, CultureInfo.InvariantCulture) : 120;
var isFlushed = await control.FlushAsync(TimeSpan.FromSeconds(patience));
var status = control.GetStatus().Find("file/default")!;
Console.WriteLine(FormattableString.Invariant($"written: {status.Written} dropped: {status.Dropped}"));
await end;
return isFlushed && status.Written == written ? 0 : 1;
