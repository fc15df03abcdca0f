using Microsoft.Extensions.Logging;

// A tool without a host: make the factory, dispose it at the end. Dispose writes everything that is still waiting.
using var loggers = LoggerFactory.Create(logging => logging.AddAsyncFile());
var logger = loggers.CreateLogger("Tool");

var folder = args.Length > 0 ? args[0] : Environment.CurrentDirectory;
logger.LogInformation("Counting the files below {Folder}", folder);
try
{
    var files = Directory.EnumerateFiles(folder, "*", SearchOption.AllDirectories).Count();
    logger.LogInformation("{Count} files below {Folder}", files, folder);
    Console.WriteLine(FormattableString.Invariant($"{files} files; the log is in {Path.Combine(AppContext.BaseDirectory, "logs")}"));
    return 0;
}
catch (IOException exception)
{
    logger.LogError(exception, "Cannot count the files below {Folder}", folder);
    return 1;
}
