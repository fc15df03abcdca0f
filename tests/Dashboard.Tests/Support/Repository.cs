namespace AsyncLog.Dashboard;

/// <summary>The repository these tests were built from.</summary>
internal static class Repository
{
    public static string Root { get; } = Find();

    /// <summary>Where tests leave what a person may want to look at.</summary>
    public static string Artifacts(string name)
    {
        var folder = Path.Combine(Root, "artifacts", name);
        Directory.CreateDirectory(folder);
        return folder;
    }

    /// <summary>The folder a sample was built to, in the configuration of these tests.</summary>
    public static string Sample(string name)
    {
        var framework = new DirectoryInfo(AppContext.BaseDirectory);
        return Path.Combine(Root, "samples", name, "bin", framework.Parent!.Name, framework.Name);
    }

    private static string Find()
    {
        var folder = AppContext.BaseDirectory;
        while (folder is not null && !File.Exists(Path.Combine(folder, "AsyncLog.sln")))
            folder = Path.GetDirectoryName(folder.TrimEnd('/'));
        return folder ?? throw new InvalidOperationException("AsyncLog.sln is not above " + AppContext.BaseDirectory);
    }
}
