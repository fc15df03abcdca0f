using System.Collections.Concurrent;
using System.Diagnostics;

namespace AsyncLog.Tests.Support;

/// <summary>samples/WebApp as a process of its own, with a folder of its own.</summary>
internal sealed class SampleProcess : IDisposable
{
    private const string Listening = "listening on ";

    private readonly TempFolder _folder = new();
    private readonly Process _process;
    private readonly ConcurrentQueue<string> _output = new();

    private SampleProcess(string environment)
    {
        File.Copy(Path.Combine(Repository.Root, "samples", "WebApp", "appsettings.json"), _folder.File("appsettings.json"));
        var start = new ProcessStartInfo("dotnet", [Path.Combine(Repository.Sample("WebApp"), "WebApp.dll"), "--contentRoot", _folder.Path, "--urls", "http://127.0.0.1:0"])
        {
            RedirectStandardOutput = true,
            WorkingDirectory = _folder.Path,
        };
        start.Environment["ASPNETCORE_ENVIRONMENT"] = environment;
        _process = new Process { StartInfo = start };
        _process.OutputDataReceived += (_, line) => _output.Enqueue(line.Data ?? "");
        _process.Start();
        _process.BeginOutputReadLine();
    }

    public HttpClient Client { get; } = new();

    public Uri Address => Client.BaseAddress!;

    public static async Task<SampleProcess> Start(string environment)
    {
        var sample = new SampleProcess(environment);
        string? line = null;
        await Eventually.Holds(
            () => sample._process.HasExited || (line = sample._output.FirstOrDefault(static output => output.StartsWith(Listening, StringComparison.Ordinal))) is not null,
            () => "it did not start: " + string.Join('\n', sample._output));
        Assert.True(line is not null, "it ended instead of starting: " + string.Join('\n', sample._output));
        sample.Client.BaseAddress = new Uri(line[Listening.Length..].Split(' ')[0]);
        return sample;
    }

    /// <summary>Runs it until it ends by itself.</summary>
    /// <returns>The exit code, and everything that it wrote.</returns>
    public static async Task<(int Code, string Output)> Run(string url)
    {
        using var process = Process.Start(new ProcessStartInfo("dotnet", [Path.Combine(Repository.Sample("WebApp"), "WebApp.dll"), "--urls", url])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            WorkingDirectory = Repository.Sample("WebApp"),
        })!;
        var output = await Task.WhenAll(process.StandardOutput.ReadToEndAsync(), process.StandardError.ReadToEndAsync());
        await process.WaitForExitAsync();
        return (process.ExitCode, string.Concat(output));
    }

    public void Dispose()
    {
        _process.Kill();
        _process.WaitForExit();
        _process.Dispose();
        Client.Dispose();
        _folder.Dispose();
    }
}
