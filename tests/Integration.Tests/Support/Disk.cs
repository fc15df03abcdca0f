namespace AsyncLog.Tests.Support;

/// <summary>A file system of its own for one test; needs the right to mount.</summary>
internal sealed class Disk : IAsyncDisposable
{
    private readonly TempFolder _folder = new();

    private Disk()
    {
    }

    public string Path => _folder.File("disk");

    /// <summary>In memory.</summary>
    /// <param name="options">As of mount: <c>size=256k</c>.</param>
    public static async Task<Disk> Memory(string options)
    {
        Shell.NeedsRoot("mounting a tmpfs");
        var disk = new Disk();
        Directory.CreateDirectory(disk.Path);
        await Shell.Run("mount", "-t", "tmpfs", "-o", options, "tmpfs", disk.Path);
        return disk;
    }

    /// <summary>Ext4 in a file.</summary>
    public static async Task<Disk> Loop(int megabytes)
    {
        Shell.NeedsRoot("a loop device");
        await Shell.Needs("mkfs.ext4");
        var disk = new Disk();
        Directory.CreateDirectory(disk.Path);
        var image = disk._folder.File("image");
        using (var file = System.IO.File.Create(image))
            file.SetLength((long)megabytes << 20);
        await Shell.Run("mkfs.ext4", "-q", "-F", "-m", "0", image);
        await Shell.Run("mount", "-o", "loop", image, disk.Path);
        return disk;
    }

    public string File(params ReadOnlySpan<string> parts) => System.IO.Path.Combine([Path, .. parts]);

    /// <summary>Fills it up but for some bytes.</summary>
    /// <returns>What to delete to make room again.</returns>
    public string Fill(long left)
    {
        var ballast = File("ballast");
        using var stream = new FileStream(ballast, FileMode.Create, FileAccess.Write, FileShare.None, bufferSize: 0);
        var page = new byte[4096];
        for (var free = new DriveInfo(Path).AvailableFreeSpace - left; free > 0; free -= page.Length)
            stream.Write(page);
        return ballast;
    }

    public async ValueTask DisposeAsync()
    {
        await Shell.Run("umount", "-l", Path);
        _folder.Dispose();
    }
}
