using AsyncLog.Tests.Support;

namespace AsyncLog.Tests;

/// <summary>tests/Programs/PlatformProbe on this machine. <c>./test.sh platforms</c> runs it on others.</summary>
[Trait("Category", "slow")]
public sealed class PlatformProbeTests
{
    // What Linux lacks.
    private static readonly string[] Reasons =
        ["only Windows has it", "Linux has crash buffers", "names that differ in case are two files", "this user may write a read-only file", "AsyncLog has crash buffers on Linux with /dev/shm only"];

    [Fact]
    public async Task As_built_every_check_passes_that_Linux_can_show()
    {
        using var folder = new TempFolder();
        await Run("dotnet", [Path.Combine(Repository.TestProgram("PlatformProbe"), "PlatformProbe.dll")], folder);
    }

    [Fact]
    public async Task As_a_native_program_every_check_passes_that_Linux_can_show()
    {
        var compiler = Array.Find(["clang", "gcc"], IsInstalled);
        Assert.SkipUnless(compiler is not null, "neither clang nor gcc is installed: nothing can link a native program");
        using var folder = new TempFolder();
        await PublishedProgram.Publish(folder, "tests/Programs/PlatformProbe", "-p:Native=true", "-p:CppCompilerAndLinker=" + compiler);
        await Run(folder.File("app", "PlatformProbe"), [], folder);
    }

    private static async Task Run(string program, string[] arguments, TempFolder folder)
    {
        using var probe = new ChildProgram(program, arguments, folder.Path);
        Assert.True(await probe.Ended() == 0, probe.Printed);
        Assert.Matches("^[0-9]{3} passed, 0 failed, [0-9] not here$", probe.Output.Last());
        Assert.DoesNotContain(
            probe.Output,
            static line => line.StartsWith("not here", StringComparison.Ordinal) && !Array.Exists(Reasons, reason => line.EndsWith(": " + reason, StringComparison.Ordinal)));
    }

    private static bool IsInstalled(string program) => Environment.GetEnvironmentVariable("PATH")!.Split(':').Any(folder => File.Exists(Path.Combine(folder, program)));
}
