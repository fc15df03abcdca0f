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
        WarmUp.With(name, directory, arguments);
        var place = existingPages ? Path.Combine(MemoryFiles, "asynclog-bench-" + Environment.ProcessId.ToString(CultureInfo.InvariantCulture)) : directory;
        Directory.CreateDirectory(place);
        try
        {
            ChildRun.Leave(directory, [.. arguments.Numbers("threads", "1").Select(threads => Result(arguments, name, place, threads, existingPages))]);
        }
        finally
        {
            if (existingPages)
                Directory.Delete(place, recursive: true);
        }

        return 0;
    }

    private static BenchResult Result(BenchArguments arguments, string name, string place, int threads, bool existingPages)
    {
        var count = arguments.Number("count", 1_000);
        using var library = LibraryCatalogue.Create(name, new LibrarySetup(place, Drops: false));
        if (existingPages)
            AllocatePages(library.Files[0], (long)count * MostBytesPerRecord);
        var values = FileLoad.Run(library, threads, count);
        library.RemoveFiles();
        return new BenchResult("saturate", SaturateMode.LoadOf(threads, existingPages), name, arguments.Number("round", 0), values);
    }

    // fallocate with the size kept: the file stays empty, and on tmpfs the pages behind its end are there
    private static void AllocatePages(string path, long bytes) => File.OpenHandle(path, FileMode.CreateNew, FileAccess.Write, preallocationSize: bytes).Dispose();
}
