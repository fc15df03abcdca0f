using System.Globalization;
using System.Runtime.Versioning;

namespace AsyncLog;

/// <summary>A directory for one user below one that everybody may write to.</summary>
[SupportedOSPlatform("linux")]
internal static class LinuxPrivateDirectory
{
    private const UnixFileMode OwnerOnly = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute;
    private const UnixFileMode OthersWrite = UnixFileMode.GroupWrite | UnixFileMode.OtherWrite;

    /// <param name="parent">The temporary directory.</param>
    /// <returns>Null when somebody else could have made the directory, or could replace it.</returns>
    public static string? Open(string parent)
    {
        uint user = LinuxNative.EffectiveUser();
        parent = Path.TrimEndingDirectorySeparator(parent);
        if (LinuxNative.TryStat(parent, out FileStat above) != 0 || !KeepsOthersOut(above, user))
            return null;
        string path = Path.Join(parent, string.Create(CultureInfo.InvariantCulture, $"asynclog-{user}"));
        if (LinuxNative.TryStat(path, out FileStat own) != 0)
        {
            try
            {
                Directory.CreateDirectory(path, OwnerOnly);
            }
            catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
            {
                // Looked at all the same: test FI_94_There_is_no_private_directory_where_none_can_be_made.
            }

            if (LinuxNative.TryStat(path, out own) != 0)
                return null;
        }

        return own.Kind == FileKind.Directory && own.Owner == user && own.Mode == OwnerOnly ? path : null;
    }

    // Where others may write, only the sticky bit keeps them from renaming what is ours.
    private static bool KeepsOthersOut(in FileStat directory, uint user) =>
        directory.Kind == FileKind.Directory && (directory.Owner == 0 || directory.Owner == user)
        && ((directory.Mode & OthersWrite) == 0 || directory.Mode.HasFlag(UnixFileMode.StickyBit));
}
