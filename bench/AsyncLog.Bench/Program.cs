using AsyncLog.Bench;

var command = args.Length == 0 ? "help" : args[0];
var arguments = new BenchArguments(args.Skip(1));
return command switch
{
    CallerRun.Command => CallerRun.Run(arguments),
    _ => ModeCatalogue.Find(command) is { } mode ? ModeCommand.Run([mode], arguments) : Usage.Print(),
};
