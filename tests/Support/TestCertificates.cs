using System.Diagnostics;

namespace AsyncLog.Tests;

/// <summary>Certificates of a throw-away authority, made once by <c>tests/receivers/make-certs.sh</c>.</summary>
internal static class TestCertificates
{
    private static readonly Lazy<(string Folder, string? Problem)> Made = new(Make);

    /// <summary>The folder with the files; skips the test where they cannot be made.</summary>
    public static string Folder
    {
        get
        {
            Assert.SkipUnless(Made.Value.Problem is null, "no test certificates: " + Made.Value.Problem);
            return Made.Value.Folder;
        }
    }

    public static string File(string name) => Path.Combine(Folder, name);

    /// <summary>Puts a copy of a file in the place of another one, which may be in use: in one step, as an operator does.</summary>
    public static void Put(string name, string path)
    {
        System.IO.File.Copy(File(name), path + ".new");
        System.IO.File.Move(path + ".new", path, overwrite: true);
    }

    private static (string Folder, string? Problem) Make()
    {
        string folder = Directory.CreateTempSubdirectory("asynclog-certs-").FullName;
        try
        {
            using var process = Process.Start(new ProcessStartInfo("bash", [Path.Combine(Repository.Receivers, "make-certs.sh"), folder])
            {
                RedirectStandardError = true,
                RedirectStandardOutput = true,
            })!;
            string errors = process.StandardError.ReadToEnd();
            process.WaitForExit();
            AppDomain.CurrentDomain.ProcessExit += (_, _) => Directory.Delete(folder, recursive: true);
            return (folder, process.ExitCode == 0 ? null : errors);
        }
        catch (System.ComponentModel.Win32Exception exception)
        {
            return (folder, exception.Message);
        }
    }
}
