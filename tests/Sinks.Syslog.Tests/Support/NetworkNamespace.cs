using System.ComponentModel;
using System.Diagnostics;
using System.Runtime.ExceptionServices;
using System.Runtime.InteropServices;

namespace AsyncLog.Tests.Support;

/// <summary>A network of its own, so that routes can be broken without touching the machine's. Needs Linux, root and the program <c>ip</c>.</summary>
internal sealed partial class NetworkNamespace : IDisposable
{
    private const int NewNetwork = 0x40000000;
    private static int _count;

    private NetworkNamespace(string name) => Name = name;

    public string Name { get; }

    /// <summary>Makes one; skips the test, with the reason, where that is not possible.</summary>
    public static NetworkNamespace Create()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux() && Environment.IsPrivilegedProcess, "network namespaces need root on Linux");
        string name = FormattableString.Invariant($"alog{Environment.ProcessId}x{Interlocked.Increment(ref _count)}");
        string? problem;
        try
        {
            problem = Ip($"netns add {name}");
        }
        catch (Win32Exception exception)
        {
            problem = exception.Message;
        }

        Assert.SkipUnless(problem is null, $"no network namespaces here: {problem}");
        var created = new NetworkNamespace(name);
        created.Configure("link set lo up");
        return created;
    }

    /// <summary>Joins two of them by a cable: 10.77.0.1 and 10.77.0.2.</summary>
    public static void Join(NetworkNamespace first, NetworkNamespace second)
    {
        first.Configure($"link add cable type veth peer name cable netns {second.Name}");
        first.Configure("addr add 10.77.0.1/24 dev cable");
        second.Configure("addr add 10.77.0.2/24 dev cable");
        first.Configure("link set cable up");
        second.Configure("link set cable up");
    }

    /// <summary>Runs <c>ip</c> inside.</summary>
    public void Configure(string arguments)
    {
        string? problem = Ip($"-n {Name} {arguments}");
        Assert.SkipUnless(problem is null, $"ip {arguments}: {problem}");
    }

    /// <summary>Runs something on a thread inside; sockets opened there stay there.</summary>
    public void Run(Action action)
    {
        ExceptionDispatchInfo? thrown = null;
        var thread = new Thread(() =>
        {
            using var handle = File.OpenHandle($"/var/run/netns/{Name}");
            try
            {
                if (SetNamespace((int)handle.DangerousGetHandle(), NewNetwork) != 0)
                    throw new Win32Exception();
                action();
            }
            catch (Exception exception)
            {
                thrown = ExceptionDispatchInfo.Capture(exception);
            }
        });
        thread.Start();
        thread.Join();
        thrown?.Throw();
    }

    public void Dispose() => Ip($"netns del {Name}");

    private static string? Ip(string arguments)
    {
        using var process = Process.Start(new ProcessStartInfo("ip", arguments.Split(' ')) { RedirectStandardError = true })!;
        string errors = process.StandardError.ReadToEnd().Trim();
        process.WaitForExit();
        return process.ExitCode == 0 ? null : errors;
    }

    [LibraryImport("libc", EntryPoint = "setns", SetLastError = true)]
    private static partial int SetNamespace(int handle, int kind);
}
