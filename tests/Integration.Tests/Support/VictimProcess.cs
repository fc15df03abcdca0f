using System.Globalization;
using System.Text.Json;

namespace AsyncLog.Tests.Support;

/// <summary>tests/Programs/Victim as a process of its own: told what to do line by line.</summary>
internal sealed class VictimProcess : IDisposable
{
    private static readonly string Assembly = Path.Combine(Repository.TestProgram("Victim"), "AsyncLog.Victim.dll");
    private readonly ChildProgram _program;
    private int _answers;

    /// <param name="folder">Where it runs.</param>
    /// <param name="launcher">What stands before <c>dotnet</c>: <c>strace</c> with its arguments; empty: nothing.</param>
    /// <param name="settings">Options of the default instance, or with a colon any key: <c>("Path", …)</c>, <c>("AsyncLog:FlushOnCrash", …)</c>.</param>
    public VictimProcess(string folder, string[] launcher, params ReadOnlySpan<(string Key, string Value)> settings)
    {
        List<string> words = [.. launcher, "dotnet", Assembly];
        foreach (var (key, value) in settings)
            words.Add($"--{(key.Contains(':') || key is "Ledger" or "CrashAt" or "Host" ? key : "Logging:AsyncFile:" + key)}={value}");
        _program = new ChildProgram(words[0], words.Skip(1), folder, ("DOTNET_EnableDiagnostics", "0"), ("TMPDIR", folder));
    }

    public ChildProgram Program => _program;

    /// <summary>What it said of trouble.</summary>
    public string Said => string.Join('\n', _program.Errors);

    /// <summary>Waits until it may be told something.</summary>
    public async Task<VictimProcess> Ready()
    {
        Assert.Equal("ready", await Answer());
        return this;
    }

    /// <summary>Tells it something and waits for the answer.</summary>
    public async Task<string> Do(string command)
    {
        _program.Say(command);
        return await Answer();
    }

    public async Task<bool> Flush(double seconds = 20) =>
        await Do(string.Create(CultureInfo.InvariantCulture, $"flush {seconds}")) == "flushed True";

    public async Task<VictimStatus> Status(string instance = "file/default")
    {
        var line = await Do("status");
        using var all = JsonDocument.Parse(line["status ".Length..]);
        return all.RootElement.GetProperty(instance).Deserialize<VictimStatus>()!;
    }

    /// <summary>Asks for the status until it is as expected.</summary>
    public async Task<VictimStatus> Status(Func<VictimStatus, bool> expected, string instance = "file/default")
    {
        VictimStatus? last = null;
        await Eventually.Holds(
            async () => expected(last = await Status(instance)), () => $"the status stays {last}: {string.Join('\n', _program.Errors)}");
        return last!;
    }

    /// <summary>Ends its input, on which it disposes the logger and ends.</summary>
    public async Task<int> End()
    {
        _program.CloseInput();
        return await _program.Ended();
    }

    public void Dispose() => _program.Dispose();

    private async Task<string> Answer()
    {
        var index = _answers++;
        await Eventually.Holds(() => _program.Output.Count > index || _program.HasExited, () => "it does not answer: " + _program.Printed);
        Assert.True(_program.Output.Count > index, "it ended: " + _program.Printed);
        return _program.Output.ElementAt(index);
    }
}
