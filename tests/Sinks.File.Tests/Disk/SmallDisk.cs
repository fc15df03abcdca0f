using System.Diagnostics;
using System.Globalization;

namespace AsyncLog.Tests.Disk;

/// <summary>A file system of a few kilobytes in memory; needs the right to mount.</summary>
internal sealed class SmallDisk : IDisposable
{
    private SmallDisk(string path) => Path = path;

    public string Path { get; }

    /// <summary>Null where this process may not mount.</summary>
    public static SmallDisk? TryMount(int kilobytes)
    {
        if (!OperatingSystem.IsLinux())
            return null;
        string path = Directory.CreateTempSubdirectory("asynclog-disk-").FullName;
        string size = string.Create(CultureInfo.InvariantCulture, $"size={kilobytes}k");
        if (Run("mount", "-t", "tmpfs", "-o", size, "tmpfs", path) == 0)
            return new SmallDisk(path);
        Directory.Delete(path);
        return null;
    }

    public void Dispose()
    {
        Run("umount", "-l", Path);
        Directory.Delete(Path, recursive: true);
    }

    private static int Run(string program, params string[] arguments)
    {
        try
        {
            using Process process = Process.Start(new ProcessStartInfo(program, arguments) { RedirectStandardError = true })!;
            process.WaitForExit();
            return process.ExitCode;
        }
        catch (System.ComponentModel.Win32Exception)
        {
            return -1;
        }
    }
}
