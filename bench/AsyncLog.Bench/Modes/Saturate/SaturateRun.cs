using System.Globalization;

namespace AsyncLog.Bench;

/// <summary>One library under every number of threads, a fresh file each, in a process of its own.</summary>
internal static class SaturateRun
{
    public const string Command = "saturate-run";
    private const int MostBytesPerRecord = 160;
    private const string MemoryFiles = "/dev/shm";

    public static int Run(BenchArguments arguments)
    {
        var directory = arguments.Text("directory", ".");
        var existingPages = arguments.Has("existing-pages");
        var name = arguments.Text("library", "no-op");
        var warmUpCalls = Prepare(arguments, name, directory);
        var place = existingPages ? Path.Combine(MemoryFiles, "asynclog-bench-" + Environment.ProcessId.ToString(CultureInfo.InvariantCulture)) : directory;
        Directory.CreateDirectory(place);
        try
        {
            ChildRun.Leave(directory, [.. arguments.Numbers("threads", "1").Select(threads => Result(arguments, name, place, threads, existingPages, warmUpCalls))]);
        }
        finally
        {
            if (existingPages)
                Directory.Delete(place, recursive: true);
        }

        return 0;
    }

    /// <summary>Warms up at a pace, and then once with callers that wait.</summary>
    /// <returns>Calls of the warm-up.</returns>
    public static int Prepare(BenchArguments arguments, string name, string directory)
    {
        var setup = new LibrarySetup(directory, Drops: false);
        var warmUpCalls = WarmUp.With(name, setup, arguments, CallStyle.Generated);
        using var library = LibraryCatalogue.Create(name, setup);
        FileLoad.Run(library, threads: 1, arguments.Quick(200_000, 2_000));
        library.RemoveFiles();
        return warmUpCalls;
    }

    private static BenchResult Result(BenchArguments arguments, string name, string place, int threads, bool existingPages, int warmUpCalls)
    {
        var count = arguments.Number("count", 1_000);
        using var library = LibraryCatalogue.Create(name, new LibrarySetup(place, Drops: false));
        if (existingPages)
            AllocatePages(library.Files[0], (long)count * MostBytesPerRecord);
        var values = FileLoad.Run(library, threads, count);
        values[WarmUp.Calls.Key] = warmUpCalls;
        library.RemoveFiles();
        return new BenchResult("saturate", SaturateMode.LoadOf(threads, existingPages), name, arguments.Number("round", 0), values);
    }

    // fallocate with the size kept: the file stays empty, and on tmpfs the pages behind its end are there
    private static void AllocatePages(string path, long bytes) => File.OpenHandle(path, FileMode.CreateNew, FileAccess.Write, preallocationSize: bytes).Dispose();
}
