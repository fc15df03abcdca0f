using System.Globalization;

namespace AsyncLog.Tests;

/// <summary>Programs that log to their standard output, as processes of their own.</summary>
public sealed class ConsoleProgramTests
{
    private const int Records = 5_000;

    private static readonly string Assembly = Path.Combine(Repository.TestProgram("ConsoleWriter"), "AsyncLog.ConsoleWriter.dll");

    [Theory]
    [InlineData("return", 0)]
    [InlineData("dispose", 0)]
    [InlineData("throw", 134)]
    [InlineData("exit", 3)]
    public async Task The_last_lines_are_there_when_the_program_ends(string end, int code)
    {
        using var folder = new TempFolder();
        using var program = Start(folder, $"--Records={Records}", $"--End={end}");

        Assert.Equal(code, await program.Ended());

        Assert.Equal(Enumerable.Range(1, Records), NumbersOf(program.Output, "Writer: line"));
    }

    [Fact]
    public async Task The_last_lines_are_there_after_SIGTERM()
    {
        using var folder = new TempFolder();
        using var program = Start(folder, $"--Records={Records}", "--End=run");
        await Eventually.Holds(() => program.Output.Any(static line => line.Contains("Application started", StringComparison.Ordinal)), () => program.Printed);

        program.Signal("TERM");

        Assert.Equal(0, await program.Ended());
        Assert.Equal(Enumerable.Range(1, Records), NumbersOf(program.Output, "Writer: line"));
        Assert.Contains("Application is shutting down", program.Output.Last(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_reader_that_goes_away_does_not_end_the_program()
    {
        using var folder = new TempFolder();
        using var program = new ChildProgram(
            "bash", ["-c", $"dotnet {Assembly} --Records=20000 --End=dispose --AsyncLog:ShutdownTimeout=1s --Logging:AsyncConsole:ShutdownTimeout=1s | head -1; echo code ${{PIPESTATUS[0]}}"], folder.Path);

        await program.Ended();

        Assert.Equal([1], NumbersOf(program.Output, "Writer: line"));
        Assert.Equal("code 0", program.Output.Last());
    }

    [Fact]
    public async Task Standard_output_that_was_closed_at_the_start_is_told_and_nothing_is_written_elsewhere()
    {
        using var folder = new TempFolder();
        using var program = new ChildProgram(
            "bash", ["-c", $"exec dotnet {Assembly} --Records=100 --End=dispose --Logging:AsyncConsole:ShutdownTimeout=1s 1>&-"], folder.Path);

        Assert.Equal(0, await program.Ended());

        Assert.Contains(program.Errors, static line => line.Contains("standard output was closed before the process began", StringComparison.Ordinal));
        Assert.DoesNotContain(program.Errors, static line => line.Contains("Writer: line", StringComparison.Ordinal));
        Assert.Empty(program.Output);
    }

    [Theory]
    [InlineData("dispose", "| head -1; exit ${PIPESTATUS[0]}")]
    [InlineData("return", "| head -1; exit ${PIPESTATUS[0]}")]
    [InlineData("dispose", "1>&-")]
    [InlineData("return", "0<&- 1>&- 2>&-")]
    public async Task A_program_whose_standard_output_cannot_come_back_does_not_wait_for_it(string end, string output)
    {
        using var folder = new TempFolder();
        using var program = new ChildProgram(
            "bash", ["-c", $"dotnet {Assembly} --Records=20000 --End={end} --AsyncLog:ShutdownTimeout=5m --Logging:AsyncConsole:ShutdownTimeout=5m {output}"], folder.Path);

        Assert.Equal(0, await program.Ended(TimeSpan.FromMinutes(2)));
    }

    [Fact]
    public async Task A_handler_of_the_process_that_is_registered_after_the_provider_can_log()
    {
        using var folder = new TempFolder();
        using var program = Start(folder, "--Records=10", "--End=handler");

        Assert.Equal(7, await program.Ended());

        Assert.Equal(Enumerable.Range(1, 11), NumbersOf(program.Output, "Writer: line"));
    }

    [Fact]
    public async Task A_handler_of_the_process_that_is_registered_after_dispose_and_logs_is_reported()
    {
        using var folder = new TempFolder();
        using var program = Start(folder, "--Records=10", "--End=disposed-handler");

        Assert.Equal(7, await program.Ended());

        Assert.Equal(Enumerable.Range(1, 10), NumbersOf(program.Output, "Writer: line"));
        Assert.EndsWith(
            "AsyncLog: warn console/default: 1 record was logged after dispose, and is lost (already_shutdown).", Assert.Single(program.Errors), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Records_that_are_logged_after_dispose_are_reported_when_the_program_ends()
    {
        using var folder = new TempFolder();
        using var program = Start(folder, "--Records=10", "--End=dispose", "--Late=5");

        Assert.Equal(0, await program.Ended());

        Assert.Equal(Enumerable.Range(1, 10), NumbersOf(program.Output, "Writer: line"));
        Assert.EndsWith(
            "AsyncLog: warn console/default: 5 records were logged after dispose, and are lost (already_shutdown).", Assert.Single(program.Errors), StringComparison.Ordinal);
    }

    [Fact]
    [OnLinux("dd fills a pipe without waiting")]
    public async Task The_programs_own_lines_go_on_while_a_self_report_waits_for_a_stuck_standard_error()
    {
        using var folder = new TempFolder();
        using var program = new ChildProgram(
            "bash",
            [
                "-c",
                $"mkfifo full; exec 3<>full; dd if=/dev/zero of=full bs=65536 count=1 oflag=nonblock conv=notrunc 2>/dev/null; "
                    + $"exec dotnet {Assembly} --Own=100 --Records=10 --End=dispose --Logging:AsyncConsole:NoSuchOption=1 2>&3",
            ],
            folder.Path);

        Assert.Equal(0, await program.Ended(TimeSpan.FromMinutes(1)));

        Assert.Equal(Enumerable.Range(1, 100), NumbersOf(program.Output.Where(static line => line.StartsWith("own ", StringComparison.Ordinal)), "own"));
        Assert.Equal(Enumerable.Range(1, 10), NumbersOf(program.Output, "Writer: line"));
    }

    [Fact]
    public async Task Lines_of_the_program_between_ours_stay_whole()
    {
        using var folder = new TempFolder();
        using var program = Start(folder, "--Records=3000", "--Own=3000", "--End=dispose", "--Logging:AsyncConsole:Template={Message}{NewLine}");

        Assert.Equal(0, await program.Ended());

        AssertLines("own", 'o', 200);
        AssertLines("line", 'l', 3_000);

        void AssertLines(string word, char letter, int longest)
        {
            var lines = program.Output.Where(line => line.StartsWith(word + " ", StringComparison.Ordinal)).ToList();
            Assert.Equal(Enumerable.Range(1, 3_000).Select(number => $"{word} {number} {new string(letter, number % longest)}"), lines);
        }
    }

    [Trait("Category", "system")]
    [Fact]
    public async Task A_container_without_a_terminal_a_user_name_a_locale_or_a_writable_root_logs_UTF_8()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux() && Environment.IsPrivilegedProcess, "a read-only root needs root on Linux");
        var dotnet = Environment.ProcessPath!;
        using var program = new ChildProgram(
            "unshare",
            [
                "-m", "sh", "-c",
                $"mount -o remount,bind,ro / && exec setpriv --reuid=54321 --regid=54321 --clear-groups env -i LC_ALL=POSIX DOTNET_EnableDiagnostics=0 '{dotnet}' '{Assembly}' --Records=3 --End=dispose --contentRoot=/ '--Logging:AsyncConsole:Template=ä {{Message}}{{NewLine}}'",
            ],
            "/");

        Assert.True(await program.Ended() == 0, program.Printed);

        Assert.Equal([1, 2, 3], NumbersOf(program.Output, "ä line"));
        Assert.Empty(program.Errors);
    }

    private static ChildProgram Start(TempFolder folder, params ReadOnlySpan<string> arguments) => new("dotnet", [Assembly, .. arguments], folder.Path);

    // The numbers after a word, in order of the lines that have it.
    private static IEnumerable<int> NumbersOf(IEnumerable<string> lines, string word) => lines
        .Select(line => (Line: line, At: line.IndexOf(word + " ", StringComparison.Ordinal)))
        .Where(static found => found.At >= 0)
        .Select(found => int.Parse(found.Line[(found.At + word.Length + 1)..].Split(' ')[0], CultureInfo.InvariantCulture));
}
