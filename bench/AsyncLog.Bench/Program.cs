using AsyncLog.Bench;

var command = args.Length == 0 ? "help" : args[0];
try
{
    var arguments = new BenchArguments(args.Skip(1));
    return command switch
    {
        ReportCommand.Command => ReportCommand.Run(arguments),
        ColdRun.Command => ColdRun.Run(arguments),
        CallerRun.Command => CallerRun.Run(arguments),
        EverydayRun.Command => EverydayRun.Run(arguments),
        RequestRun.Command => RequestRun.Run(arguments),
        SaturateRun.Command => SaturateRun.Run(arguments),
        OtlpRun.Command => OtlpRun.Run(arguments),
        OtlpReceiver.Command => OtlpReceiver.Run(arguments),
        _ => ModeCatalogue.Find(command) is { } mode ? ModeCommand.Run(mode, arguments) : Usage.Print(),
    };
}
catch (Exception exception) when (exception is InvalidOperationException or ArgumentException or FormatException)
{
    Console.Error.WriteLine(exception.Message);
    return 3;
}
