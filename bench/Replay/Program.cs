namespace Replay;

/// <summary>The entry point.</summary>
internal static class Program
{
    private static Task<int> Main(string[] arguments) => ReplayCommand.RunAsync(arguments, Console.Out, Console.Error);
}
