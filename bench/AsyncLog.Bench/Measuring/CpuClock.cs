using System.ComponentModel;
using System.Runtime.InteropServices;

namespace AsyncLog.Bench;

/// <summary>Processor time, user and system, in nanoseconds: of this process, and of the calling thread alone.</summary>
internal static class CpuClock
{
    private const int Process = 2;
    private const int Thread = 3;

    public static long OfProcess => Read(Process);

    public static long OfThread => Read(Thread);

    private static long Read(int clock)
    {
        if (GetTime(clock, out var time) != 0)
            throw new Win32Exception();
        return time.Seconds * 1_000_000_000 + time.Nanoseconds;
    }

    [DllImport("libc", EntryPoint = "clock_gettime", SetLastError = true)]
    private static extern int GetTime(int clock, out Timespec time);

    [StructLayout(LayoutKind.Sequential)]
    private readonly struct Timespec
    {
        public readonly nint Seconds;
        public readonly nint Nanoseconds;
    }
}
