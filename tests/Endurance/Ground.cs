using System.Diagnostics;

namespace AsyncLog.Tests;

/// <summary>Where the run takes place: a folder of its own, on a small disk of its own where the user may mount one. Gone afterwards.</summary>
internal sealed class Ground : IDisposable
{
    private const int BytesPerRecord = 128;
    private const int Spare = 64 << 20;
    private readonly Lock _gate = new();
    private bool _isMounted;

    public Ground(int seconds)
    {
        Root = Directory.CreateTempSubdirectory("asynclog-endurance-").FullName;
        AppDomain.CurrentDomain.ProcessExit += OnExit;
        Mount(((long)seconds * EnduranceRun.RecordsPerSecond * BytesPerRecord) + Spare);
        Directory.CreateDirectory(Kept);
    }

    public string Root { get; }

    /// <summary>Why the disk cannot be filled; null: it can.</summary>
    public string? NoSmallDisk { get; private set; }

    /// <summary>The directory of the logger.</summary>
    public string Logs => Path.Combine(Root, "logs");

    /// <summary>The path of the logger.</summary>
    public string Active => Path.Combine(Logs, "endurance.log");

    /// <summary>Where the saboteur keeps what it takes away, on the same disk.</summary>
    public string Kept => Path.Combine(Root, "kept");

    /// <summary>What fills the disk.</summary>
    public string Ballast => Path.Combine(Root, "ballast");

    public void Dispose()
    {
        AppDomain.CurrentDomain.ProcessExit -= OnExit;
        Clear();
    }

    private static string? Execute(string program, params string[] arguments)
    {
        try
        {
            using var process = Process.Start(new ProcessStartInfo(program, arguments) { RedirectStandardError = true })!;
            var errors = process.StandardError.ReadToEnd();
            process.WaitForExit();
            return process.ExitCode == 0 ? null : $"{program}: {errors.Trim()}";
        }
        catch (System.ComponentModel.Win32Exception exception)
        {
            return $"{program}: {exception.Message}";
        }
    }

    private void Mount(long bytes)
    {
        NoSmallDisk = !OperatingSystem.IsLinux() ? "not Linux"
            : !Environment.IsPrivilegedProcess ? "not root, so no small disk can be mounted"
            : Execute("mount", "-t", "tmpfs", "-o", FormattableString.Invariant($"size={bytes},mode=0700"), "tmpfs", Root);
        _isMounted = NoSmallDisk is null;
        Checks.Say($"ground: {Root}, {(_isMounted ? $"a tmpfs of {bytes >> 20} MB" : NoSmallDisk!)}");
    }

    private void OnExit(object? sender, EventArgs e) => Clear();

    // By the end of the run, or of the process when that comes first.
    private void Clear()
    {
        lock (_gate)
        {
            if (_isMounted && Execute("umount", Root) is not null && Execute("umount", "-l", Root) is { } problem)
                Console.Error.WriteLine(problem);
            _isMounted = false;
            if (Directory.Exists(Root))
                Directory.Delete(Root, recursive: true);
        }
    }
}
