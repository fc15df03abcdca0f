using System.Diagnostics;
using System.Text;
using AsyncLog.PlatformProbe;

// Checks what a user of each sink relies on, with real files, sockets and processes: PlatformProbe [text ...], only checks whose area and name contain a text.
// Prints one line per check, then "N passed, N failed, N not here". The exit code is 1 if a check failed, 2 if there was none.
Console.OutputEncoding = new UTF8Encoding(encoderShouldEmitUTF8Identifier: false);
if (args is [Child.Argument, var role, ..])
    return await Child.Run(role, args[2..]);

Check[] all =
[
    .. FileChecks.All, .. ArchiveChecks.All, .. FileTroubleChecks.All, .. LayoutChecks.All, .. ConfigurationChecks.All, .. SpoolChecks.All, .. ConsoleChecks.All,
    .. SyslogChecks.All, .. OtlpChecks.All, .. ProcessChecks.All,
];
var limit = TimeSpan.FromSeconds(60);
var (passed, failed, notHere) = (0, 0, 0);
foreach (var check in all.Where(check => args.Length == 0 || args.Any(text => $"{check.Area}: {check.Name}".Contains(text, StringComparison.OrdinalIgnoreCase))))
{
    if (check.Needs?.Invoke() is { } reason)
    {
        notHere++;
        Console.WriteLine($"not here  {check.Area}: {check.Name}: {reason}");
        continue;
    }

    var began = Stopwatch.GetTimestamp();
    try
    {
        using var ground = new Ground();
        await Task.Run(() => check.Body(ground)).WaitAsync(limit);
        passed++;
        Console.WriteLine(FormattableString.Invariant($"passed    {check.Area}: {check.Name} ({Stopwatch.GetElapsedTime(began).TotalMilliseconds:F0} ms)"));
    }
    catch (Exception exception)
    {
        failed++;
        Console.WriteLine($"FAILED    {check.Area}: {check.Name}: {Describe(exception)}");
    }
}

Console.WriteLine($"{passed} passed, {failed} failed, {notHere} not here");
// A check that was given up may still run.
Environment.Exit(failed > 0 ? 1 : passed == 0 ? 2 : 0);
return 0;

static string Describe(Exception exception) => exception is TimeoutException or CheckException
    ? exception.Message.ReplaceLineEndings(" ") : $"{exception.GetType().Name}: {exception.Message.ReplaceLineEndings(" ")}{exception.StackTrace?.Split('\n')[0]}";
