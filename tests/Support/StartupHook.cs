using System.Runtime.InteropServices;
using AsyncLog.Tests;

#pragma warning disable CA1050, MA0047, IDE0130 // .NET asks for this name, outside namespaces

/// <summary>
/// Lets .NET throw exceptions under Wine 8. <c>eng/platforms.sh</c> names this assembly in <c>DOTNET_STARTUP_HOOKS</c>.
/// <para>
/// Wine registers a frame of its own on the stack of the thread while it calls the exception handler of .NET. That handler does not return: .NET continues in its own
/// catch block. So the frame remains registered, and the next exception calls what the stack contains there by then. The thread ends, and the process waits for it.
/// This removes the frame at each exception.
/// </para>
/// </summary>
internal static unsafe class StartupHook
{
    private const nint CurrentThread = -2;
    private const nint EndOfList = -1;
    [ThreadStatic]
    private static nint* _frames;
    private static delegate* unmanaged<nint, int, ThreadInformation*, int, int*, int> _queryThread;

    public static void Initialize()
    {
        if (!Wine.IsHere)
            return;
        _queryThread = (delegate* unmanaged<nint, int, ThreadInformation*, int, int*, int>)NativeLibrary.GetExport(NativeLibrary.Load("ntdll"), "NtQueryInformationThread");
        AppDomain.CurrentDomain.FirstChanceException += static (_, _) => RemoveFrames();
        // Compiled now: not while an exception is thrown.
        RemoveFrames();
    }

    private static void RemoveFrames()
    {
        if (_frames is null)
        {
            ThreadInformation thread;
            if (_queryThread(CurrentThread, 0, &thread, sizeof(ThreadInformation), null) != 0)
                return;
            _frames = thread.Block;
        }
        *_frames = EndOfList;
    }

    /// <summary>THREAD_BASIC_INFORMATION. The first word of the thread's block is the list of frames.</summary>
    [StructLayout(LayoutKind.Sequential)]
    private struct ThreadInformation
    {
        public int ExitStatus;
        public nint* Block;
        public nint ProcessId;
        public nint ThreadId;
        public nint Affinity;
        public int Priority;
        public int BasePriority;
    }
}
