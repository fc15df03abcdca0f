namespace AsyncLog;

/// <summary>Chooses how files are written on this machine.</summary>
internal static class ByteFiles
{
    public static IByteFiles ForThisPlatform() =>
        OperatingSystem.IsLinux() && LinuxByteFiles.IsSupported ? new LinuxByteFiles() : new PortableByteFiles();
}
