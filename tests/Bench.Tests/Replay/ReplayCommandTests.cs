using System.Globalization;
using System.Text.RegularExpressions;
using Replay;

namespace AsyncLog.Tests.Replay;

public sealed partial class ReplayCommandTests
{
    private readonly StringWriter _output = new(CultureInfo.InvariantCulture);
    private readonly StringWriter _errors = new(CultureInfo.InvariantCulture);

    [Fact]
    public async Task Help_names_every_option()
    {
        Assert.Equal(0, await Run("--help"));
        foreach (var option in (string[])["--log", "--lines", "--seed", "--threads", "--rate", "--repeat", "--settings", "--set", "--flush-timeout", "--quiet", "--help"])
            Assert.Contains("  " + option, _output.ToString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("--thread 3", "--thread is not a known option; did you mean --threads?; see --help")]
    [InlineData("x.log", "x.log is not a known option; see --help")]
    [InlineData("--threads", "--threads needs a value; see --help")]
    [InlineData("--threads --quiet", "--threads needs a value; see --help")]
    [InlineData("--threads 0", "--threads '0' is not valid: expected a whole number from 1 to 256")]
    [InlineData("--threads 257", "--threads '257' is not valid: expected a whole number from 1 to 256")]
    [InlineData("--lines 0", "--lines '0' is not valid: expected a whole number from 1 to 10000000")]
    [InlineData("--seed x", "--seed 'x' is not valid: expected a whole number from 1 to 2147483647")]
    [InlineData("--repeat 1.5", "--repeat '1.5' is not valid: expected a whole number from 1 to 2147483647")]
    [InlineData("--rate -1", "--rate '-1' is not valid: expected records per second, or max")]
    [InlineData("--rate 0", "--rate '0' is not valid: expected records per second, or max")]
    [InlineData("--set Path", "--set 'Path' is not valid: expected KEY=VALUE, as Logging:AsyncFile:Format=Json")]
    [InlineData("--log spark", "--log 'spark' is not valid: expected hdfs, openssh, openstack, zookeeper or the path of a text log that exists")]
    [InlineData("--settings /nowhere.json", "--settings '/nowhere.json' is not valid: there is no such file")]
    [InlineData("--set Logging:AsyncFile:Formt=Json", "Logging:AsyncFile:Formt is not a known option; did you mean 'Format'?")]
    [InlineData("--set Logging:AsyncFile:Format=Xml", "Logging:AsyncFile:Format 'Xml' is not valid: expected Text, Json or Clef")]
    public async Task What_is_wrong_is_said_in_one_line(string arguments, string expected)
    {
        Assert.Equal(2, await Run(arguments.Split(' ')));
        Assert.Equal(expected, _errors.ToString().TrimEnd());
        Assert.Equal("", _output.ToString());
    }

    [Theory]
    [InlineData(1, "max")]
    [InlineData(4, "20000")]
    public async Task What_was_offered_is_written_and_the_report_says_so(int threads, string rate)
    {
        using var folder = new TempFolder();
        var code = await Run(
            "--log", "hdfs", "--log", "openssh", "--threads", threads.ToString(CultureInfo.InvariantCulture), "--rate", rate, "--quiet",
            "--set", "Logging:AsyncFile:Path=" + folder.File("r.clef"), "--set", "Logging:AsyncFile:Format=Clef");
        Assert.Equal((0, ""), (code, _errors.ToString()));
        Assert.Matches($"^hdfs, openssh: 4000 calls from {threads} threads in ", _output.ToString());
        Assert.Equal((4000, 4000, 0), (Figure("offered"), Figure("written"), Figure("dropped")));
        Assert.True(Figure("records/s") > 0);
        Assert.Equal(4000, File.ReadLines(folder.File("r.clef")).Count(static line => line.StartsWith("{\"@t\":", StringComparison.Ordinal)));
    }

    [Fact]
    public async Task Losses_are_counted_by_reason_and_end_with_another_code()
    {
        using var folder = new TempFolder();
        var code = await Run(
            "--log", "zookeeper", "--threads", "4", "--repeat", "20", "--quiet",
            "--set", "Logging:AsyncFile:Path=" + folder.File("r.log"), "--set", "Logging:AsyncFile:MaxQueueLength=1", "--set", "Logging:AsyncFile:GapNotices=false");
        Assert.Equal(1, code);
        Assert.Equal(40_000, Figure("offered"));
        Assert.Equal(40_000, Figure("written") + Figure("dropped"));
        Assert.Equal(Figure("dropped"), Figure("  QueueFull"));
        Assert.Equal(Figure("written"), File.ReadLines(folder.File("r.log")).Count());
    }

    [Fact]
    public async Task Every_sink_that_has_a_section_gets_the_lines()
    {
        using var folder = new TempFolder();
        using var receiver = new System.Net.Sockets.UdpClient(new System.Net.IPEndPoint(System.Net.IPAddress.Loopback, 0));
        var code = await Run(
            "--log", "openssh", "--quiet", "--set", "Logging:AsyncFile:Path=" + folder.File("r.log"),
            "--set", $"Logging:AsyncSyslog:Endpoint=udp://{receiver.Client.LocalEndPoint}", "--set", "Logging:AsyncSyslog:EnterpriseNumber=32473.1");
        Assert.Equal((0, ""), (code, _errors.ToString()));
        Assert.Contains("file/default -> ", _output.ToString(), StringComparison.Ordinal);
        Assert.Contains("syslog/default -> udp://127.0.0.1", _output.ToString(), StringComparison.Ordinal);
        Assert.Equal(2, Lines().Matches(_output.ToString()).Count(static line => line.Groups[1].Value.TrimEnd() == "written" && line.Groups[2].Value == "2000"));
        Assert.Equal(2000, File.ReadLines(folder.File("r.log")).Count());
        Assert.True(receiver.Available > 0);
    }

    [Fact]
    public async Task Settings_without_a_sink_are_refused()
    {
        using var folder = new TempFolder();
        File.WriteAllText(folder.File("none.json"), "{ \"Logging\": { \"LogLevel\": { \"Default\": \"Trace\" } } }");
        Assert.Equal(2, await Run("--settings", folder.File("none.json")));
        Assert.Equal(
            folder.File("none.json") + " configures no sink: expected a section Logging:AsyncFile, Logging:AsyncSyslog or Logging:AsyncOtlp",
            _errors.ToString().TrimEnd());
    }

    [Fact]
    public async Task Progress_is_shown_while_it_runs()
    {
        using var folder = new TempFolder();
        Assert.Equal(0, await Run("--log", "hdfs", "--rate", "400", "--set", "Logging:AsyncFile:Path=" + folder.File("r.log")));
        Assert.Matches(@"\d+ of 2000 calls, \d+ records written, 0 dropped, \d+ waiting", _errors.ToString());
    }

    private Task<int> Run(params string[] arguments) => ReplayCommand.RunAsync(arguments, _output, TextWriter.Synchronized(_errors));

    private long Figure(string name)
    {
        var line = Lines().Matches(_output.ToString()).First(match => match.Groups[1].Value.TrimEnd() == name);
        return long.Parse(line.Groups[2].Value, CultureInfo.InvariantCulture);
    }

    [GeneratedRegex(@"^  (\S.{17}|  .{16}) (\d+)$", RegexOptions.Multiline)]
    private static partial Regex Lines();
}
