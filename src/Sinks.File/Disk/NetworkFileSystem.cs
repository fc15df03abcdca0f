namespace AsyncLog;

/// <summary>File systems on which two hosts do not append one after the other.</summary>
internal static class NetworkFileSystem
{
    /// <returns>Its name, or null: a local one, or not known.</returns>
    public static string? NameOf(string directory)
    {
        try
        {
            string format = Folders.NearestExisting(directory) is { } existing ? new DriveInfo(existing).DriveFormat : "";
            return IsNetwork(format) ? format : null;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or ArgumentException)
        {
            // Not known, and opening the file will say what is wrong: test FI_96_Nothing_is_said_of_a_directory_that_cannot_be_looked_at.
            return null;
        }
    }

    /// <param name="format">The name of a file system, as the system's table of mounts has it.</param>
    public static bool IsNetwork(string format) =>
        format is "nfs" or "nfs4" or "cifs" or "smb" or "smb2" or "smb3" or "smbfs" or "fuse.sshfs" or "9p" or "ncpfs" or "afs";
}
