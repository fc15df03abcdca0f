namespace AsyncLog.Bench;

/// <summary>Where the sources are, found from where this program was built.</summary>
internal static class Repository
{
    public static string Root { get; } = Find(AppContext.BaseDirectory);

    private static string Find(string from)
    {
        for (var directory = new DirectoryInfo(from); directory is not null; directory = directory.Parent)
        {
            if (File.Exists(Path.Combine(directory.FullName, "AsyncLog.sln")))
                return directory.FullName;
        }

        return Environment.CurrentDirectory;
    }
}
