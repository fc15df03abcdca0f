using System.Diagnostics;

namespace AsyncLog.Tests.Operations;

/// <summary>Debian's promtool, installed or unpacked.</summary>
internal static class Promtool
{
    /// <summary>The folder of promtool and prometheus; without them the test is skipped.</summary>
    public static async Task<string> Folder()
    {
        var (code, output) = await Run("bash", Path.Combine(Repository.Root, "tests", "receivers", "unpack-prometheus.sh"));
        Assert.SkipUnless(code == 0, "needs prometheus, installed or from apt-get download: " + output.Trim());
        return output.Trim();
    }

    public static async Task<(int Code, string Output)> Ask(params string[] arguments) => await Run(Path.Combine(await Folder(), "promtool"), arguments);

    private static async Task<(int Code, string Output)> Run(string program, params string[] arguments)
    {
        using var process = Process.Start(new ProcessStartInfo(program, arguments) { RedirectStandardOutput = true, RedirectStandardError = true })!;
        var errors = process.StandardError.ReadToEndAsync(TestContext.Current.CancellationToken);
        var output = await process.StandardOutput.ReadToEndAsync(TestContext.Current.CancellationToken);
        await process.WaitForExitAsync(TestContext.Current.CancellationToken);
        return (process.ExitCode, output + await errors);
    }
}
