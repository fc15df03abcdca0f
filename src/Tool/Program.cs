using AsyncLog.Tool;

return SpoolCommand.Run(args, Console.Out, Console.Error);
