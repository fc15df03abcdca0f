using System.Runtime.InteropServices;

namespace AsyncLog.Tests;

/// <summary>Wine, which runs programs for Windows on Linux: only its ntdll exports <c>wine_get_version</c>.</summary>
internal static class Wine
{
    public static bool IsHere { get; } = OperatingSystem.IsWindows() && NativeLibrary.TryGetExport(NativeLibrary.Load("ntdll"), "wine_get_version", out _);
}
