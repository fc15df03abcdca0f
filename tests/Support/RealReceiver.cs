using System.Diagnostics;
using System.Globalization;
using System.Text.Json;

namespace AsyncLog.Tests;

/// <summary>A real rsyslogd, syslog-ng or OpenTelemetry Collector on loopback that prints what it got as JSON, one object a line.</summary>
internal sealed class RealReceiver : IDisposable
{
    private readonly string _folder;
    private readonly string _kind;
    private readonly (string Name, string Value)[] _environment;
    private Dictionary<string, string> _keys;

    private RealReceiver(string kind, string folder, (string Name, string Value)[] environment, Dictionary<string, string> keys)
    {
        _kind = kind;
        _folder = folder;
        _environment = environment;
        _keys = keys;
    }

    public string Certificates => _keys["certs"];

    /// <summary>The file with the records.</summary>
    public string Output => _keys["out"];

    /// <summary>What it said for itself.</summary>
    public string Log => File.Exists(_keys["log"]) ? File.ReadAllText(_keys["log"]) : "";

    public string Socket => _keys["sock"];

    /// <summary>Starts one; skips the test, with the reason, where it cannot be had.</summary>
    /// <param name="kind"><c>rsyslog</c>, <c>syslog-ng</c> or <c>otelcol</c>.</param>
    /// <param name="environment">Variables of <c>tests/receivers/README.md</c>.</param>
    public static RealReceiver Start(string kind, params (string Name, string Value)[] environment)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), $"{kind} runs on Linux only");
        // Short, because the path of a local socket may be no longer than 107 bytes; open to the user that the daemon runs as.
        string folder = Directory.CreateTempSubdirectory("alr-").FullName;
        File.SetUnixFileMode(folder, (UnixFileMode)0b111_101_101);
        var (keys, problem) = Run(kind, folder, environment);
        if (problem is not null)
            Directory.Delete(folder, recursive: true);
        Assert.SkipUnless(problem is null, $"{kind} cannot be started: {problem}");
        return new RealReceiver(kind, folder, environment, keys);
    }

    public int Port(string transport) => int.Parse(_keys[transport], CultureInfo.InvariantCulture);

    /// <summary>Datagrams that the system threw away, because the receiver did not read them in time.</summary>
    public long DroppedDatagrams()
    {
        string local = string.Create(CultureInfo.InvariantCulture, $":{Port("udp"):X4}");
        // The last column of the socket's line.
        return File.ReadLines("/proc/net/udp").Select(static line => line.Split(' ', StringSplitOptions.RemoveEmptyEntries))
            .Where(columns => columns[1].EndsWith(local, StringComparison.Ordinal)).Sum(static columns => long.Parse(columns[^1], CultureInfo.InvariantCulture));
    }

    /// <summary>Stops it and starts it again on the same ports, with the same output.</summary>
    public void Restart(Action? whileAway = null)
    {
        Stop();
        whileAway?.Invoke();
        var (keys, problem) = Run(_kind, _folder, [.. _environment, ("RECEIVER_PORT_BASE", _keys[_kind == "otelcol" ? "grpc" : "udp"]), ("RECEIVER_CERTS", Certificates)]);
        Assert.True(problem is null, problem);
        _keys = keys;
    }

    /// <summary>Ends it at once, whatever it was doing.</summary>
    public void Kill()
    {
        using var process = Process.GetProcessById(int.Parse(File.ReadAllText(Path.Combine(_folder, _kind + ".pid")), CultureInfo.InvariantCulture));
        process.Kill();
        process.WaitForExit();
    }

    public void Stop() => RunScript("stop.sh", [_folder], []);

    /// <summary>Whether so many records are there.</summary>
    public int CountLines()
    {
        int count = 0;
        using var file = new FileStream(Output, FileMode.Open, FileAccess.Read, FileShare.ReadWrite);
        byte[] buffer = new byte[1 << 20];
        for (int read; (read = file.Read(buffer)) > 0;)
            count += buffer.AsSpan(0, read).Count((byte)'\n');
        return count;
    }

    /// <summary>The end of the output.</summary>
    public string LastLine()
    {
        using var file = new FileStream(Output, FileMode.Open, FileAccess.Read, FileShare.ReadWrite);
        byte[] tail = new byte[Math.Min(file.Length, 4096)];
        file.Seek(-tail.Length, SeekOrigin.End);
        file.ReadExactly(tail);
        return System.Text.Encoding.UTF8.GetString(tail).TrimEnd('\n').Split('\n')[^1];
    }

    /// <summary>The records as it parsed them.</summary>
    public List<JsonElement> Records() => [.. File.ReadLines(Output).Select(static line => JsonDocument.Parse(line).RootElement)];

    public void Dispose()
    {
        Stop();
        Directory.Delete(_folder, recursive: true);
    }

    private static (Dictionary<string, string> Keys, string? Problem) Run(string kind, string folder, (string Name, string Value)[] environment)
    {
        var (code, output, errors) = RunScript($"start-{kind}.sh", [folder], environment);
        if (code != 0)
            return ([], errors.Trim());
        return (output.Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(static line => line.Split('=', 2)).ToDictionary(static pair => pair[0], static pair => pair[1], StringComparer.Ordinal), null);
    }

    private static (int Code, string Output, string Errors) RunScript(string script, IEnumerable<string> arguments, (string Name, string Value)[] environment)
    {
        var start = new ProcessStartInfo("bash", [Path.Combine(Repository.Receivers, script), .. arguments])
        {
            RedirectStandardError = true,
            RedirectStandardOutput = true,
        };
        foreach (var (name, value) in environment)
            start.Environment[name] = value;
        using var process = Process.Start(start)!;
        var errors = process.StandardError.ReadToEndAsync();
        string output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        return (process.ExitCode, output, errors.GetAwaiter().GetResult());
    }
}
