using AsyncLog.Tool;

return args is ["recover", _] or ["recover", _, "--json"] ? RecoverCommand.Run(args, Console.Out, Console.Error) : SpoolCommand.Run(args, Console.Out, Console.Error);
