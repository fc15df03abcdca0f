using System.Diagnostics;
using System.Globalization;

namespace AsyncLog.Tests.Transport.Tls;

/// <summary>Handshakes of both network sinks that end in all ways, in a process whose memory is checked: tests/Programs/HandshakeStorm.</summary>
public sealed class HandshakeStormTests
{
    private const int Seconds = 4;
    private static readonly TimeSpan Longest = TimeSpan.FromMinutes(2);

    [Fact]
    public async Task No_certificate_is_disposed_while_a_handshake_that_is_cancelled_shut_down_or_replaced_may_use_it()
    {
        var start = new ProcessStartInfo(
            "dotnet", [Path.Combine(Repository.TestProgram("HandshakeStorm"), "HandshakeStorm.dll"), Seconds.ToString(CultureInfo.InvariantCulture), TestCertificates.Folder])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };

        // glibc: freed memory is overwritten, and a second free ends the process at once.
        start.Environment["MALLOC_CHECK_"] = "3";
        start.Environment["MALLOC_PERTURB_"] = "165";
        // Since glibc 2.34 the checks are in a library of their own.
        if (OperatingSystem.IsLinux())
            start.Environment["LD_PRELOAD"] = "libc_malloc_debug.so.0";
        using Process process = Process.Start(start)!;
        var output = process.StandardOutput.ReadToEndAsync(TestContext.Current.CancellationToken);
        var errors = process.StandardError.ReadToEndAsync(TestContext.Current.CancellationToken);
        try
        {
            await process.WaitForExitAsync(TestContext.Current.CancellationToken).WaitAsync(Longest, TestContext.Current.CancellationToken);
        }
        finally
        {
            process.Kill();
        }

        Assert.True(process.ExitCode == 0, await output + await errors);
        string[] lines = (await output).Trim().Split('\n');
        Assert.DoesNotContain(lines, static line => line.Contains("dispos", StringComparison.OrdinalIgnoreCase));
        string[] words = lines[0].Split(' ');
        Assert.Equal(["rounds:", "handshakes:", "broken:"], words.Where((_, index) => index % 2 == 0));
        int[] counts = [.. words.Where((_, index) => index % 2 == 1).Select(static word => int.Parse(word, CultureInfo.InvariantCulture))];
        Assert.All(counts, static count => Assert.InRange(count, 5, int.MaxValue));
    }
}
