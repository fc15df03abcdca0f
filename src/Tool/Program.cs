using System.Reflection;
using AsyncLog.Tool;

var usage = SpoolCommand.Usage + Environment.NewLine + Environment.NewLine + RecoverCommand.Usage;
if (args.Any(static argument => argument is "--help" or "-h"))
{
    Console.Out.WriteLine(usage);
    return 0;
}

if (args is ["--version"])
{
    // Without the commit behind it.
    Console.Out.WriteLine(Assembly.GetExecutingAssembly().GetCustomAttribute<AssemblyInformationalVersionAttribute>()!.InformationalVersion.Split('+')[0]);
    return 0;
}

var asJson = args is [.., "--json"];
try
{
    using var records = new RecordOutput(Console.OpenStandardOutput(), isTerminal: !Console.IsOutputRedirected, asJson);
    switch (asJson ? args[..^1] : args)
    {
        case ["recover", var file]:
            return RecoverCommand.Run(file, records, Console.Error);
        case ["spool", ("list" or "export" or "verify") and var verb, var directory] when !asJson || verb == "export":
            return SpoolCommand.Run(verb, directory, records, Console.Out, Console.Error);
    }
}
catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
{
    Console.Error.WriteLine($"asynclog: {exception.Message}");
    return 2;
}

Console.Error.WriteLine(usage);
return 2;
