using System.Runtime.InteropServices;

namespace AsyncLog;

/// <summary>The classes of file errors, and the remedy for each.</summary>
internal static class FileErrorClass
{
    public const string NoSpace = "no_space";
    public const string Quota = "quota";
    public const string ReadOnly = "read_only";
    public const string Permission = "permission";
    public const string IoError = "io_error";
    public const string InUse = "in_use";
    public const string TooManyFiles = "too_many_files";
    public const string Symlink = "symlink";
    public const string NotAFile = "not_a_file";
    public const string NotADirectory = "not_a_directory";
    public const string NotFound = "not_found";
    public const string Exists = "exists";
    public const string FileTooLarge = "file_too_large";
    public const string NameTooLong = "name_too_long";
    public const string Other = "other";

    private const int ErrorHandleDiskFull = unchecked((int)0x80070027);
    private const int ErrorDiskFull = unchecked((int)0x80070070);
    private const int ErrorWriteProtect = unchecked((int)0x80070013);
    private const int ErrorTooManyOpenFiles = unchecked((int)0x80070004);
    private const int ErrorSharingViolation = unchecked((int)0x80070020);
    private const int ErrorLockViolation = unchecked((int)0x80070021);
    private const int ErrorFileExists = unchecked((int)0x80070050);
    private const int ErrorAlreadyExists = unchecked((int)0x800700B7);

    /// <summary>The class of an error number of this system.</summary>
    public static string OfErrno(int errno) => OfErrno(errno, OperatingSystem.IsMacOS());

    /// <summary>The class of an error number of macOS or of Linux: most are the same.</summary>
    public static string OfErrno(int errno, bool isMacOS) => errno switch
    {
        1 or 13 => Permission,          // EPERM, EACCES
        2 => NotFound,                  // ENOENT
        5 => IoError,                   // EIO
        6 or 21 => NotAFile,            // ENXIO, EISDIR
        17 => Exists,                   // EEXIST
        20 => NotADirectory,            // ENOTDIR
        23 or 24 => TooManyFiles,       // ENFILE, EMFILE
        27 => FileTooLarge,             // EFBIG
        28 => NoSpace,                  // ENOSPC
        30 => ReadOnly,                 // EROFS
        35 when isMacOS => IoError,     // EAGAIN
        62 when isMacOS => Symlink,     // ELOOP
        63 when isMacOS => NameTooLong, // ENAMETOOLONG
        69 when isMacOS => Quota,       // EDQUOT
        _ when isMacOS => Other,
        11 or 121 => IoError,           // EAGAIN, EREMOTEIO
        36 => NameTooLong,              // ENAMETOOLONG
        40 => Symlink,                  // ELOOP
        122 => Quota,                   // EDQUOT
        _ => Other,
    };

    /// <summary>Returns true if an error number of macOS or of Linux says that the file system cannot do it: ENOTSUP, EOPNOTSUPP, ENOSYS.</summary>
    public static bool IsUnsupported(int errno, bool isMacOS) => isMacOS ? errno is 45 or 102 or 78 : errno is 95 or 38;

    /// <summary>The class of an exception of the framework. Outside Windows it puts the error number into <see cref="Exception.HResult"/>.</summary>
    public static string Of(Exception exception) => exception switch
    {
        LogSinkException named => named.ErrorType,
        UnauthorizedAccessException => Permission,
        FileNotFoundException or DirectoryNotFoundException => NotFound,
        PathTooLongException => NameTooLong,
        _ => exception.HResult switch
        {
            ErrorDiskFull or ErrorHandleDiskFull => NoSpace,
            ErrorWriteProtect => ReadOnly,
            ErrorTooManyOpenFiles => TooManyFiles,
            ErrorSharingViolation or ErrorLockViolation => InUse,
            ErrorFileExists or ErrorAlreadyExists => Exists,
            > 0 and < 4096 and int errno => OfErrno(errno),
            _ => exception is IOException ? IoError : Other,
        },
    };

    /// <summary>Returns true if an operator has to correct something before the operation can work.</summary>
    public static bool IsPermanent(string errorType) => errorType is Permission or Symlink or NotAFile or NotADirectory or NameTooLong;

    /// <summary>Describes the error and its remedy.</summary>
    public static string Describe(string errorType) => errorType switch
    {
        NoSpace => "no space left on the device: free some",
        Quota => "the disk quota is used up: free space or raise it",
        ReadOnly => "the file system is read-only: mount it writable or change Path",
        Permission => "permission denied: let the user of the process write there or change Path",
        IoError => "input/output error: check the disk",
        InUse => "another program has it open and does not share it: close it there",
        TooManyFiles => "too many open files: raise the limit of the process",
        Symlink => "it is a symbolic link, which is never followed: change Path",
        NotAFile => "it is not a regular file: change Path",
        NotADirectory => "part of the path is not a directory: change Path",
        NotFound => "it does not exist: create it or change Path",
        Exists => "it exists already: remove or rename it",
        FileTooLarge => "the file size limit of the process is reached: raise it or set a smaller FileSizeLimit",
        NameTooLong => "the name is too long: change Path",
        _ => "it failed",
    };

    /// <summary>Describes the remedy for a symbolic link at the path of a log file.</summary>
    /// <returns>Null when its target cannot be read.</returns>
    public static string? DescribeLink(string path)
    {
        string? target = null;
        try
        {
            target = new FileInfo(path).LinkTarget;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // Gone or unreadable by now, only the text is poorer: test A_symbolic_link_is_refused_and_named_with_its_target.
        }

        return target switch
        {
            null => null,
            "/dev/stdout" or "/dev/stderr" or "/proc/self/fd/1" or "/proc/self/fd/2" => $"it is a symbolic link to {target}: to log there, use the console provider",
            _ => $"it is a symbolic link to {target}, which is never followed: change Path",
        };
    }

    /// <summary>Describes the remedy for a path of a log file that is not a regular file.</summary>
    public static string DescribeOther(string path) =>
        Directory.Exists(path) ? "it is a directory: change Path, which names a file"
        : path.StartsWith("/dev/", StringComparison.Ordinal) ? "it is a device and not a regular file: change Path; to write no file set Enabled to false"
        : "it is a pipe, a socket or a device and not a regular file: change Path";

    /// <summary>Runs an operation of the framework and throws a <see cref="LogSinkException"/> for what it throws.</summary>
    /// <param name="operation">The operation: <c>cannot open</c>.</param>
    public static T Try<T>(string operation, string path, Func<T> action)
    {
        try
        {
            return action();
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw Failure(operation, path, Of(exception), cause: exception);
        }
    }

    /// <summary>Makes the exception for an operation that failed with an error number of this system.</summary>
    public static LogSinkException Failure(string operation, string path, int errno)
    {
        string errorType = OfErrno(errno);
        string? detail = errorType switch
        {
            Symlink => DescribeLink(path),
            NotAFile => DescribeOther(path),
            Other => Marshal.GetPInvokeErrorMessage(errno),
            _ => null,
        };
        return Failure(operation, path, errorType, detail);
    }

    /// <summary>Makes the exception for a failed operation.</summary>
    /// <param name="operation">The failed operation: <c>cannot open</c>.</param>
    /// <param name="detail">Replacement for the description of the class; null: none.</param>
    public static LogSinkException Failure(string operation, string path, string errorType, string? detail = null, Exception? cause = null) =>
        new(errorType, $"{operation} {path} ({detail ?? (errorType == Other && cause is not null ? cause.Message : Describe(errorType))})",
            IsPermanent(errorType), cause);
}
