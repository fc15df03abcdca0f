namespace AsyncLog.Tests;

/// <summary>Where the scripts are that start real receivers.</summary>
internal static class TestReceivers
{
    public static string Folder { get; } = Path.Combine(FindRoot(), "tests", "receivers");

    private static string FindRoot()
    {
        string? folder = AppContext.BaseDirectory;
        while (folder is not null && !File.Exists(Path.Combine(folder, "AsyncLog.sln")))
            folder = Path.GetDirectoryName(folder);
        return folder ?? throw new InvalidOperationException("AsyncLog.sln is not above " + AppContext.BaseDirectory);
    }
}
