using System.Runtime.InteropServices;

namespace AsyncLog;

/// <summary>Asks a file to be opened anew when SIGHUP comes. Other handlers of the signal still run; the process goes on.</summary>
internal static class ReopenSignal
{
    /// <returns>Ends it; null where there is no such signal.</returns>
    public static IDisposable? TryRegister(FileSink sink, IFileVoice voice)
    {
        if (OperatingSystem.IsWindows())
        {
            voice.Report(SelfReportLevel.Warning, "reopen_signal", "ReopenSignal is ignored: Windows has no such signal.");
            return null;
        }

        return PosixSignalRegistration.Create(PosixSignal.SIGHUP, context =>
        {
            context.Cancel = true;
            _ = sink.Ask(FileRequest.Reopen);
        });
    }
}
