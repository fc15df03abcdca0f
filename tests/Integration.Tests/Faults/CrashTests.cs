using System.Globalization;
using AsyncLog.Tests.Support;

namespace AsyncLog.Tests.Faults;

/// <summary>What is in the file after a process ended in each of the ways it can end. The first write is held, so that everything waits when it ends.</summary>
public sealed class CrashTests
{
    private const int Records = 200;

    // Much shorter than what a dying process is held at most, for a busy machine; longer than a process needs to end that is not held.
    private const string Held = "held:200";

    // Longer than any of these tests takes.
    private const string HeldForGood = "held:120000";

    private static readonly TimeSpan LongBeforeTheHoldEnds = TimeSpan.FromSeconds(60);

    [Theory]
    [InlineData("throw")]
    [InlineData("throw-thread")]
    [InlineData("throw-pool")]
    [InlineData("throw-task")]
    [InlineData("throw-timer")]
    public async Task An_unhandled_exception_is_recorded_after_everything_that_was_logged_before(string way)
    {
        using var folder = new TempFolder();
        using var victim = await Victim(folder, ("CrashAt", Held));
        victim.Program.Say($"end {Records} {way}");

        Assert.Equal(134, await victim.Program.Ended());

        var lines = folder.Lines("shop.log");
        AssertAll(lines);
        Assert.EndsWith("[CRT] AsyncLog: Unhandled exception; the process ends.", lines[Records], StringComparison.Ordinal);
        Assert.Equal("  System.InvalidOperationException: no way on", lines[Records + 1]);
        Assert.All(lines[(Records + 1)..], static line => Assert.StartsWith("  ", line, StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("exit")]
    [InlineData("exit-in-value")]
    [InlineData("exit-threads")]
    public async Task Environment_Exit_delivers_waiting_records_from_wherever_it_is_called(string way)
    {
        using var folder = new TempFolder();
        using var victim = await Victim(folder, ("CrashAt", Held));
        victim.Program.Say($"end {Records} {way}");

        Assert.Equal(3, await victim.Program.Ended());

        AssertAll(folder.Lines("shop.log"));
        Assert.Equal(Records, folder.Lines("shop.log").Length);
    }

    [Fact]
    public async Task A_main_that_returns_without_disposing_anything_delivers_waiting_records()
    {
        using var folder = new TempFolder();
        using var victim = await Victim(folder, ("CrashAt", Held));
        victim.Program.Say($"log {Records}");
        victim.Program.Say("return");

        Assert.Equal(0, await victim.Program.Ended());

        AssertAll(folder.Lines("shop.log"));
        Assert.Equal(Records, folder.Lines("shop.log").Length);
    }

    [Theory]
    [InlineData("TERM", 143)]
    [InlineData("INT", 130)]
    [InlineData("QUIT", 131)]
    [InlineData("HUP", 129)]
    public async Task A_signal_without_a_host_delivers_waiting_records_and_is_not_canceled(string signal, int exitCode)
    {
        using var folder = new TempFolder();
        using var victim = await Victim(folder, ("CrashAt", Held));
        Assert.Equal($"logged {Records}", await victim.Do($"log {Records}"));
        victim.Program.Signal(signal);

        Assert.Equal(exitCode, await victim.Program.Ended());

        AssertAll(folder.Lines("shop.log"));
        Assert.Equal(Records, folder.Lines("shop.log").Length);
    }

    [Theory]
    [InlineData("throw", 134)]
    [InlineData("exit", 3)]
    public async Task A_destination_that_hangs_delays_the_end_of_a_process_by_the_budget_only(string way, int exitCode)
    {
        using var folder = new TempFolder();
        using var victim = await Victim(folder, ("CrashAt", HeldForGood));
        victim.Program.Say($"end {Records} {way}");

        Assert.Equal(exitCode, await victim.Program.Ended().WaitAsync(LongBeforeTheHoldEnds, TestContext.Current.CancellationToken));
        Assert.Empty(folder.Lines("shop.log"));
    }

    [Theory]
    [InlineData("return", 0)]
    [InlineData("exit", 3)]
    [InlineData("throw", 134)]
    [InlineData("TERM", 143)]
    public async Task What_was_lost_is_in_the_log_and_on_stderr_when_a_process_ends_without_disposing(string way, int exitCode)
    {
        using var folder = new TempFolder();
        using var victim = await Victim(folder, ("CrashAt", Held), ("MaxQueueLength", "50"));
        Assert.Equal($"logged {Records}", await victim.Do($"log {Records}"));
        if (way == "TERM")
            victim.Program.Signal(way);
        else
            victim.Program.Say(way == "return" ? way : $"end 1 {way}");

        Assert.Equal(exitCode, await victim.Program.Ended());

        var notice = Assert.Single(folder.Lines("shop.log"), static line => line.Contains(" records dropped ", StringComparison.Ordinal));
        var total = Assert.Single(victim.Program.Errors, static line => line.Contains(" lost in all: queue_full ", StringComparison.Ordinal));
        var logged = way is "exit" or "throw" ? Records + 1 : Records;
        var lost = (long)logged - StormLine.Numbers(folder.Lines("shop.log"), 0).Length;
        // Those that the queue has room for, less the share that is kept for warnings, are delivered.
        Assert.InRange(lost, 1, logged - 45);
        Assert.Equal(
            (lost, lost),
            (long.Parse(notice.Split("AsyncLog: ")[1].Split(' ')[0], CultureInfo.InvariantCulture),
                long.Parse(total.Split(' ')[^1].TrimEnd('.'), CultureInfo.InvariantCulture)));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Records_that_are_left_when_a_process_ends_without_disposing_are_on_stderr(bool hasRefusedCrashBuffer)
    {
        using var folder = new TempFolder();
        // Not on tmpfs.
        using var victim = await Victim(folder, ("CrashAt", HeldForGood), ("CrashBuffer", $"{hasRefusedCrashBuffer}"), ("AsyncLog:CrashBufferPath", folder.File("crash")));
        victim.Program.Say($"end {Records} exit");

        Assert.Equal(3, await victim.Program.Ended().WaitAsync(LongBeforeTheHoldEnds, TestContext.Current.CancellationToken));
        Assert.Single(
            victim.Program.Errors,
            static line => line.EndsWith($" {Records} records were left when the process ended, and are lost.", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Records_in_a_crash_buffer_are_not_called_lost_when_a_process_ends_without_disposing()
    {
        Assert.SkipUnless(Directory.Exists("/dev/shm"), "there is no /dev/shm");
        using var folder = new TempFolder();
        using var memory = new TempFolder("/dev/shm");
        using var victim = await Victim(folder, ("CrashAt", HeldForGood), ("CrashBuffer", "true"), ("AsyncLog:CrashBufferPath", memory.File("crash")));
        victim.Program.Say($"end {Records} exit");

        Assert.Equal(3, await victim.Program.Ended().WaitAsync(LongBeforeTheHoldEnds, TestContext.Current.CancellationToken));
        Assert.DoesNotContain(victim.Program.Errors, static line => line.Contains(" left when the process ended", StringComparison.Ordinal));
        Assert.Single(Directory.GetFiles(memory.File("crash")));
    }

    [Theory]
    [InlineData("throw", 134)]
    [InlineData("exit", 3)]
    public async Task Records_that_were_logged_after_dispose_are_on_stderr_when_a_process_ends(string way, int exitCode)
    {
        using var folder = new TempFolder();
        using var victim = await Victim(folder);
        Assert.StartsWith("disposed ", await victim.Do("dispose"), StringComparison.Ordinal);
        victim.Program.Say($"end {Records} {way}");

        Assert.Equal(exitCode, await victim.Program.Ended());

        var lost = $" AsyncLog: warn file/default: {Records} records were logged after dispose, and are lost (already_shutdown).";
        Assert.Single(victim.Program.Errors, line => line.EndsWith(lost, StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_second_signal_is_not_blocked_by_the_first()
    {
        using var folder = new TempFolder();
        using var victim = await Victim(folder, ("CrashAt", HeldForGood));
        Assert.Equal($"logged {Records}", await victim.Do($"log {Records}"));
        Assert.False(IsHandled());
        victim.Program.Signal("INT");
        await Eventually.Holds(IsHandled, () => "the first signal is not handled: " + victim.Program.Printed);
        victim.Program.Signal("TERM");

        // The code is that of the signal that ended it: 130 if the second waited for the first.
        Assert.Equal(143, await victim.Program.Ended().WaitAsync(LongBeforeTheHoldEnds, TestContext.Current.CancellationToken));

        // What delivers at the end has a thread of its own, with the name that .NET gives it, as long as the system lets it be.
        bool IsHandled() => Directory.GetDirectories(FormattableString.Invariant($"/proc/{victim.Program.Id}/task"))
            .Any(static thread => File.ReadAllText(Path.Combine(thread, "comm")).StartsWith(".NET Long Runni", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("throw", 134)]
    [InlineData("exit", 3)]
    public async Task With_FlushOnCrash_off_nothing_of_what_waits_is_delivered(string way, int exitCode)
    {
        using var folder = new TempFolder();
        using var victim = await Victim(folder, ("CrashAt", HeldForGood), ("AsyncLog:FlushOnCrash", "false"));
        victim.Program.Say($"end {Records} {way}");

        Assert.Equal(exitCode, await victim.Program.Ended().WaitAsync(LongBeforeTheHoldEnds, TestContext.Current.CancellationToken));
        Assert.Empty(folder.Lines("shop.log"));
        // A process that waits for the delivery says what it could not deliver.
        Assert.DoesNotContain(victim.Program.Errors, static line => line.Contains(" left when the process ended", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("fail-fast")]
    [InlineData("overflow")]
    public async Task A_process_that_ends_without_any_event_loses_at_most_unwritten_records(string way)
    {
        using var folder = new TempFolder();
        using var victim = await Victim(folder);
        await victim.Do($"log {Records}");
        Assert.True(await victim.Flush());
        victim.Program.Say($"end {Records} {way}");

        Assert.Equal(134, await victim.Program.Ended());

        // What was flushed is there, of the rest a beginning, and every line is whole.
        var lines = folder.Lines("shop.log");
        var numbers = StormLine.Numbers(lines, 0);
        Assert.Equal(lines.Length, numbers.Length);
        Assert.Equal(Enumerable.Range(1, numbers.Length).Select(static number => (long)number), numbers);
        Assert.InRange(numbers.Length, Records, 2 * Records);
    }

    // Signals that the caller of the tests ignores would be ignored by the program too.
    private static Task<VictimProcess> Victim(TempFolder folder, params ReadOnlySpan<(string Key, string Value)> settings) => new VictimProcess(
        folder.Path, ["env", "--default-signal=INT,QUIT,HUP,TERM"], [("Path", folder.File("shop.log")), ("AsyncLog:StartupReport", "false"), .. settings]).Ready();

    private static void AssertAll(string[] lines)
        => Assert.Equal(Enumerable.Range(1, Records).Select(static number => (long)number), StormLine.Numbers(lines, 0));
}
