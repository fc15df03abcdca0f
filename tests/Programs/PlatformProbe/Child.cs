using System.Collections.Concurrent;
using System.Diagnostics;
using System.Globalization;
using System.Text;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.PlatformProbe;

/// <summary>This program as a process of its own, for checks of the end of a process and of several processes.</summary>
internal sealed class Child : IDisposable
{
    public const string Argument = "child";

    // What starts a program of a foreign architecture, with its arguments: qemu-aarch64-static -L FOLDER.
    private const string Launcher = "PROBE_LAUNCHER";
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(50);
    private readonly Process _process;
    private readonly ConcurrentQueue<string> _output = new();
    private readonly ConcurrentQueue<string> _errors = new();

    /// <param name="role">What it does; see <see cref="Run"/>.</param>
    /// <param name="count">The number of records; 0: until it is ended.</param>
    /// <param name="settings">Pairs of keys and values, as keys of the root.</param>
    public Child(string role, int count, params ReadOnlySpan<(string Key, string Value)> settings)
    {
        var command = CommandOf(role, count, settings);
        _process = new Process
        {
            StartInfo = new ProcessStartInfo(command[0], command.Skip(1))
            {
                RedirectStandardInput = true,
                RedirectStandardOutput = true,
                RedirectStandardError = true,
                StandardOutputEncoding = Encoding.UTF8,
                StandardErrorEncoding = Encoding.UTF8,
            },
        };
        _process.OutputDataReceived += (_, line) => Keep(_output, line.Data);
        _process.ErrorDataReceived += (_, line) => Keep(_errors, line.Data);
        _process.Start();
        _process.BeginErrorReadLine();
    }

    public int Id => _process.Id;

    public IReadOnlyCollection<string> Output => _output;

    public IReadOnlyCollection<string> Errors => _errors;

    public string Printed => string.Join(" | ", _output.Concat(_errors).TakeLast(20));

    /// <summary>The program and the arguments of a child.</summary>
    public static IReadOnlyList<string> CommandOf(string role, int count, ReadOnlySpan<(string Key, string Value)> settings)
    {
        List<string> command = [.. (Environment.GetEnvironmentVariable(Launcher) ?? "").Split(' ', StringSplitOptions.RemoveEmptyEntries), .. Program(), Argument, role];
        command.Add(count.ToString(CultureInfo.InvariantCulture));
        foreach (var (key, value) in settings)
            command.Add($"{key}={value}");
        return command;
    }

    /// <summary>Begins to read what it prints.</summary>
    public Child Listen()
    {
        _process.BeginOutputReadLine();
        return this;
    }

    /// <summary>Closes the reading end of its standard output.</summary>
    public void CloseOutput() => _process.StandardOutput.Dispose();

    /// <summary>Waits for its end.</summary>
    /// <returns>The exit code.</returns>
    public async Task<int> Ended()
    {
        await _process.WaitForExitAsync().WaitAsync(Patience);
        return _process.ExitCode;
    }

    public async Task Kill()
    {
        _process.Kill();
        await Ended();
    }

    /// <summary>Sends it a signal of Unix by its name: <c>TERM</c>.</summary>
    public void Signal(string signal) => Send(signal, Id);

    public static void Send(string signal, int process)
    {
        using var kill = Process.Start("kill", ["-" + signal, process.ToString(CultureInfo.InvariantCulture)]);
        kill.WaitForExit();
    }

    public void Dispose()
    {
        if (!_process.HasExited)
            _process.Kill();
        _process.Dispose();
    }

    /// <summary>Runs as a child: logs the records, flushes, and ends in the way of its role.</summary>
    public static async Task<int> Run(string role, string[] arguments)
    {
        var count = int.Parse(arguments[0], CultureInfo.InvariantCulture);
        var settings = arguments.Skip(1).Select(static setting => (":" + setting[..setting.IndexOf('=')], setting[(setting.IndexOf('=') + 1)..]));
        var application = new Application(Application.Settings("", [.. settings]));
        switch (role)
        {
            case "dispose":
                application.Log(0, count);
                await application.DisposeAsync();
                return 0;
            case "return":
                application.Log(0, count);
                return 0;
            case "exit":
                application.Log(0, count);
                Environment.Exit(3);
                return 0;
            case "throw":
                application.Log(0, count);
                throw new InvalidOperationException("thrown by the probe");
            case "roll":
                application.Log(0, count);
                await application.Flush();
                if (!await application.Services.GetRequiredService<IAsyncFileControl>().RollAsync())
                    return 1;
                application.Log(count, count);
                await application.DisposeAsync();
                return 0;
            case "levels":
                application.Logger.LogInformation("for standard output: Grüße, 你好, 😀");
                application.Logger.LogError("for standard error");
                await application.DisposeAsync();
                return 0;
            case "stay":
                application.Log(0, count);
                Console.WriteLine("ready");
                await Task.Delay(Timeout.Infinite);
                return 0;
            case "endless":
                for (var number = 0; ; number++)
                    application.Log(number, 1);
            default:
                throw new ArgumentException($"no role {role}");
        }
    }

    // The program, or what runs its assembly.
    private static string[] Program()
    {
        var path = Environment.ProcessPath!;
        return Path.GetFileNameWithoutExtension(path) == "dotnet" ? [path, Path.Combine(AppContext.BaseDirectory, "PlatformProbe.dll")]
            : Environment.GetEnvironmentVariable(Launcher) is null ? [path]
            : [Path.Combine(AppContext.BaseDirectory, "PlatformProbe")];
    }

    private static void Keep(ConcurrentQueue<string> lines, string? line)
    {
        if (line is not null)
            lines.Enqueue(line);
    }
}
