namespace AsyncLog.Tests.Support;

/// <summary>Programs that do one thing and end.</summary>
internal static class Shell
{
    /// <summary>Runs a program; fails the test when it fails.</summary>
    public static async Task Run(string program, params string[] arguments)
    {
        using var child = new ChildProgram(program, arguments, Environment.CurrentDirectory);
        var code = await child.Ended();
        Assert.True(code == 0, $"{program} {string.Join(' ', arguments)}: {code}, {child.Printed}");
    }

    /// <summary>Whether a program can be run at all.</summary>
    public static async Task<bool> Has(string program)
    {
        using var which = new ChildProgram("/bin/sh", ["-c", "command -v " + program], Environment.CurrentDirectory);
        return await which.Ended() == 0;
    }

    /// <summary>Skips the test where something needs root.</summary>
    public static void NeedsRoot(string what) => Assert.SkipUnless(OperatingSystem.IsLinux() && Environment.IsPrivilegedProcess, what + " needs root on Linux");

    /// <summary>Skips the test where a program is missing.</summary>
    public static async Task Needs(string program) => Assert.SkipUnless(await Has(program), program + " is not installed");
}
