using System.Globalization;

namespace AsyncLog.Tests.Transport.Tls;

/// <summary>Handshakes of both network sinks that end in all ways, in a process whose memory is checked: tests/Programs/HandshakeStorm.</summary>
public sealed class HandshakeStormTests
{
    private const int Seconds = 4;
    private static readonly List<string> DisposedWords = ["dispos", "has been closed", "invalid handle"];
    private static readonly TimeSpan Longest = TimeSpan.FromMinutes(2);

    [Fact]
    public async Task No_certificate_is_disposed_while_a_handshake_that_is_cancelled_shut_down_or_replaced_may_use_it()
    {
        // glibc: freed memory is overwritten, and a second free ends the process at once.
        List<(string Name, string Value)> environment = [("MALLOC_CHECK_", "3"), ("MALLOC_PERTURB_", "165")];
        // Since glibc 2.34 the checks are in a library of their own.
        if (OperatingSystem.IsLinux())
            environment.Add(("LD_PRELOAD", "libc_malloc_debug.so.0"));
        using var program = new ChildProgram(
            "dotnet",
            [Path.Combine(Repository.TestProgram("HandshakeStorm"), "HandshakeStorm.dll"), Seconds.ToString(CultureInfo.InvariantCulture), TestCertificates.Folder],
            AppContext.BaseDirectory,
            [.. environment]);
        Assert.True(await program.Ended(Longest) == 0, program.Printed);
        string[] lines = [.. program.Output];
        Assert.True(!Array.Exists(lines, IsUseOfDisposed), program.Printed);
        Assert.StartsWith("seed: ", lines[0], StringComparison.Ordinal);
        string[] words = lines[1].Split(' ');
        Assert.Equal(["rounds:", "handshakes:", "broken:"], words.Where((_, index) => index % 2 == 0));
        int[] counts = [.. words.Where((_, index) => index % 2 == 1).Select(static word => int.Parse(word, CultureInfo.InvariantCulture))];
        Assert.Equal(3, counts.Length);
        Assert.All(counts, static count => Assert.InRange(count, 5, int.MaxValue));
    }

    // A closed handle of a certificate or key says so by its own words.
    private static bool IsUseOfDisposed(string line) => DisposedWords.Exists(word => line.Contains(word, StringComparison.OrdinalIgnoreCase));
}
