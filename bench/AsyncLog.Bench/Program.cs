using AsyncLog.Bench;

var mode = args.Length == 0 ? "help" : args[0];
var options = new BenchArguments(args.Skip(1));
return mode switch
{
    "caller" => CallerMode.Run(options),
    CallerRun.Command => CallerRun.Run(options),
    _ => Usage.Print(),
};
