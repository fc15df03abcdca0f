namespace AsyncLog.Tests;

/// <summary>The repository these tests were built from: found above the built program, for the paths in a build for CI name no folder of the machine.</summary>
internal static class Repository
{
    public static string Root { get; } = Find();

    /// <summary>The scripts that start real receivers.</summary>
    public static string Receivers => Path.Combine(Root, "tests", "receivers");

    public static string WebAppSettings => Path.Combine(Root, "samples", "WebApp", "appsettings.json");

    /// <summary>The folder a sample was built to, in the configuration of these tests.</summary>
    public static string Sample(string name) => Built("samples", name);

    /// <summary>The folder a program that only tests run was built to.</summary>
    public static string TestProgram(string name) => Built("tests/Programs", name);

    /// <summary>The folder the tool was built to.</summary>
    public static string Tool => Built("src", "Tool");

    /// <summary>Where tests leave what a person may want to look at.</summary>
    public static string Artifacts(string name) => Directory.CreateDirectory(Path.Combine(Root, "artifacts", name)).FullName;

    private static string Built(string folder, string name)
    {
        // .../tests/Integration.Tests/bin/Release/net10.0/
        var framework = new DirectoryInfo(AppContext.BaseDirectory);
        return Path.Combine(Root, folder, name, "bin", framework.Parent!.Name, framework.Name);
    }

    private static string Find()
    {
        var folder = AppContext.BaseDirectory;
        while (folder is not null && !File.Exists(Path.Combine(folder, "AsyncLog.sln")))
            folder = Path.GetDirectoryName(folder);
        return folder ?? throw new InvalidOperationException("AsyncLog.sln is not above " + AppContext.BaseDirectory);
    }
}
