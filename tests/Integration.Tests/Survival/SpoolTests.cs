using System.Globalization;
using System.Text.RegularExpressions;
using AsyncLog.Tests;

namespace AsyncLog.Integration;

[Trait("Category", "system")]
public sealed partial class SpoolTests
{
    private const int PerSecond = 5_000;

    // In memory: less than two seconds of records.
    private const string Memory = "2MB";

    [Fact]
    public async Task SP_4_A_real_rsyslogd_that_is_away_while_the_application_restarts_gets_every_record_in_order()
    {
        // Of ten minutes away in a release run.
        var awaySeconds = ReleaseRun.Count(8, 600);
        using var folder = new TempFolder();
        using var daemon = RealReceiver.Start("rsyslog");
        var records = awaySeconds * PerSecond / 2;
        using var first = Write(folder, daemon, 0, records);
        await Eventually.Holds(() => daemon.CountLines() > 100, () => "nothing arrives: " + first.Printed);
        daemon.Stop();
        await Logged(first, records);
        Assert.Equal(0, await End(first, "dropped"));
        using var second = Write(folder, daemon, records, records);
        await Logged(second, records);
        daemon.Restart();
        await Eventually.Holds(() => daemon.CountLines() >= 2 * records, () => $"{daemon.CountLines()} of {2 * records} arrived: {second.Printed}", TimeSpan.FromMinutes(3));
        Assert.Equal(0, await End(second, "dropped"));

        // What the end of a connection left open is sent again, and the one file that a restart found in flight.
        var numbers = Numbers(daemon);
        Assert.Equal(Enumerable.Range(0, 2 * records), numbers.Distinct());
        Assert.InRange(numbers.Count - (2 * records), 0, 2_000);
    }

    private static ChildProgram Write(TempFolder folder, RealReceiver daemon, int first, int records) => new(
        "dotnet",
        [
            Path.Combine(Repository.TestProgram("NetworkWriter"), "NetworkWriter.dll"), Text(first), Text(records), Text(PerSecond),
            $"AsyncSyslog:Endpoint=tcp://127.0.0.1:{daemon.Port("tcp")}", "AsyncSyslog:SpoolPath=" + folder.File("spool"), "AsyncSyslog:MaxQueueMemory=" + Memory, "AsyncSyslog:ShutdownTimeout=1s",
        ],
        folder.Path);

    private static Task Logged(ChildProgram writer, int records)
        => Eventually.Holds(() => writer.Output.Contains($"logged: {records}"), () => "it does not log: " + writer.Printed, TimeSpan.FromMinutes(12));

    private static string Text(int number) => number.ToString(CultureInfo.InvariantCulture);

    private static List<int> Numbers(RealReceiver daemon)
        => [.. daemon.Records().Select(static record => Number().Match(record.GetProperty("msg").GetString()!)).Where(static match => match.Success).Select(static match => int.Parse(match.Groups[1].Value, CultureInfo.InvariantCulture))];

    private static async Task<int> End(ChildProgram writer, string count)
    {
        writer.Say("end");
        Assert.Equal(0, await writer.Ended());
        var line = writer.Output.Last(static line => line.StartsWith("written: ", StringComparison.Ordinal)).Split(' ');
        return int.Parse(line[Array.IndexOf(line, count + ":") + 1], CultureInfo.InvariantCulture);
    }

    [GeneratedRegex(@"<(\d+) x+>")]
    private static partial Regex Number();
}
