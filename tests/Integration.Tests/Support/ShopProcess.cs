using System.Globalization;

namespace AsyncLog.Tests.Support;

/// <summary>samples/WebApp as a process of its own, with a folder of its own.</summary>
internal sealed class ShopProcess : IDisposable
{
    private const string Listening = "listening on ";

    private readonly ChildProgram _program;

    public ShopProcess(TempFolder folder, params ReadOnlySpan<(string Name, string Value)> environment)
    {
        File.Copy(Repository.WebAppSettings, folder.File("appsettings.json"), overwrite: true);
        _program = ChildProgram.OfSample("WebApp", "WebApp", ["--contentRoot", folder.Path, "--urls", "http://127.0.0.1:0"], folder.Path, environment);
    }

    public ChildProgram Program => _program;

    /// <summary>The address, once it serves.</summary>
    public async Task<Uri> Started()
    {
        string? line = null;
        await Eventually.Holds(
            () => _program.HasExited || (line = _program.Output.FirstOrDefault(static output => output.StartsWith(Listening, StringComparison.Ordinal))) is not null,
            () => "it did not start: " + _program.Printed);
        Assert.True(line is not null, "it ended instead of starting: " + _program.Printed);
        return new Uri(line[Listening.Length..].Split(' ')[0]);
    }

    /// <summary>Asks it to end, and waits.</summary>
    /// <returns>The number of requests it says it logged.</returns>
    public async Task<long> Stopped()
    {
        const string requests = "requests: ";
        _program.Signal("TERM");
        Assert.Equal(0, await _program.Ended());
        var line = _program.Output.Single(static output => output.StartsWith(requests, StringComparison.Ordinal));
        return long.Parse(line[requests.Length..], CultureInfo.InvariantCulture);
    }

    public void Dispose() => _program.Dispose();
}
