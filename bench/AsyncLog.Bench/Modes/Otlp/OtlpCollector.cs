using System.Diagnostics;
using System.Globalization;

namespace AsyncLog.Bench;

/// <summary>The receiver as a child process: its time and memory do not count as those of the measured process.</summary>
internal sealed class OtlpCollector : IDisposable
{
    private static readonly TimeSpan LongestStart = TimeSpan.FromSeconds(60);
    private readonly Process _process;
    private readonly Task<string> _errors;
    private readonly HttpClient _client = new();
    private readonly Uri _root;

    private OtlpCollector(Process process, string addressFile)
    {
        _process = process;
        _errors = Task.Run(() => ChildProcess.ReadErrors(process.StandardError));
        if (!SpinWait.SpinUntil(() => File.Exists(addressFile) || process.HasExited, LongestStart) || process.HasExited)
            throw new InvalidOperationException($"the receiver did not start: {End()}");
        _root = new Uri(File.ReadAllText(addressFile));
        Address = new Uri(_root, OtlpReceiver.LogsPath);
    }

    public Uri Address { get; }

    /// <param name="directory">Where it tells its address.</param>
    /// <param name="delay">Milliseconds until it answers.</param>
    public static OtlpCollector Start(string directory, int delay)
    {
        var addressFile = Path.Combine(directory, OtlpReceiver.AddressFile);
        File.Delete(addressFile);
        string[] command = [.. ChildProcess.Self(), OtlpReceiver.Command, "--directory", directory, "--delay", delay.ToString(CultureInfo.InvariantCulture)];
        return new OtlpCollector(ChildProcess.Start(command, directory, serverGc: false), addressFile);
    }

    /// <summary>Returns the records that came so far.</summary>
    public WrittenLines Seen()
    {
        var parts = _client.GetStringAsync(new Uri(_root, OtlpReceiver.SeenPath)).GetAwaiter().GetResult().Split(' ');
        return new WrittenLines(long.Parse(parts[0], CultureInfo.InvariantCulture), long.Parse(parts[1], CultureInfo.InvariantCulture));
    }

    /// <summary>Throws unless exactly these records came.</summary>
    public void Verify(WrittenLines expected)
    {
        var seen = Seen();
        if (seen != expected)
        {
            throw new InvalidOperationException(string.Create(
                CultureInfo.InvariantCulture, $"{seen.Count} records with sum {seen.Sum} arrived, expected {expected.Count} with sum {expected.Sum}"));
        }
    }

    public void Dispose()
    {
        End();
        _client.Dispose();
        _process.Dispose();
    }

    private string End()
    {
        if (!_process.HasExited)
            _process.Kill();
        _process.WaitForExit();
        return _errors.GetAwaiter().GetResult();
    }
}
