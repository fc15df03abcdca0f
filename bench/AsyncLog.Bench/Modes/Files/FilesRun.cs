namespace AsyncLog.Bench;

/// <summary>One library and one count in a process of its own.</summary>
internal static class FilesRun
{
    public const string Command = "files-run";

    public static int Run(BenchArguments arguments)
    {
        var directory = arguments.Text("directory", ".");
        var name = arguments.Text("library", "no-op");
        var count = arguments.Number("count", 1_000);
        var warmUpCalls = SaturateRun.Prepare(arguments, name, directory);
        using var library = LibraryCatalogue.Create(name, new LibrarySetup(directory, Drops: false));
        var values = FileLoad.Run(library, threads: 1, count);
        values[WarmUp.Calls.Key] = warmUpCalls;
        ChildRun.Leave(directory, [new BenchResult("files", FilesMode.LoadOf(count), name, arguments.Number("round", 0), values)]);
        return 0;
    }
}
