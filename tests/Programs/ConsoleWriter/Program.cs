using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

// A program that logs to its standard output. Arguments, which are configuration: --Records=N logs "line 1" to "line N"; --Own=N writes as many lines with
// Console.WriteLine at the same time; --End=WAY: return (from Main, nothing disposed), dispose, throw, exit (Environment.Exit), handler and disposed-handler (the same, with a handler that logs), run (the host, until a signal);
// --Late=N logs N more records when the host is disposed.
var builder = Host.CreateApplicationBuilder(args);
builder.Logging.ClearProviders().AddAsyncConsole();
var host = builder.Build();
var logger = host.Services.GetRequiredService<ILoggerFactory>().CreateLogger("Writer");

// Console.Out writes lines of up to 256 characters at once.
var ownLines = builder.Configuration.GetValue("Own", 0);
var own = new Thread(() =>
{
    for (var number = 1; number <= ownLines; number++)
        Console.WriteLine($"own {number} {new string('o', number % 200)}");
});
own.Start();
var records = builder.Configuration.GetValue("Records", 1);
for (var number = 1; number <= records; number++)
    logger.LogInformation("line {Number} {Text}", number, ownLines == 0 ? "" : new string('l', number % 3000));
own.Join();

switch (builder.Configuration["End"])
{
    case "throw":
        throw new InvalidOperationException("The program ends by an exception.");
    case "exit":
        Environment.Exit(3);
        break;
    case "handler":
        ExitWithHandler();
        break;
    case "disposed-handler":
        host.Dispose();
        ExitWithHandler();
        break;
    case "run":
        await host.RunAsync();
        break;
    case "dispose":
        host.Dispose();
        break;
}

for (var number = 1; number <= builder.Configuration.GetValue("Late", 0); number++)
    logger.LogError("late {Number}", number);

void ExitWithHandler()
{
    AppDomain.CurrentDomain.ProcessExit += (_, _) => logger.LogInformation("line {Number} {Text}", records + 1, "");
    Environment.Exit(7);
}
