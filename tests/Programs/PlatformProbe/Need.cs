using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.AccessControl;
using System.Security.Cryptography.X509Certificates;

namespace AsyncLog.PlatformProbe;

/// <summary>What a check needs of its platform. Each returns why it is not there, or null. What can be tried is tried, not looked up by the name of the system.</summary>
internal static class Need
{
    private static readonly Lazy<string?> LinksResult = new(() => Try(static folder =>
    {
        File.CreateSymbolicLink(Path.Combine(folder, "link"), "target");
        return new FileInfo(Path.Combine(folder, "link")).LinkTarget == "target" ? null : "a symbolic link is no link";
    }));

    private static readonly Lazy<string?> DirectoriesResult = new(() => Try(static folder =>
    {
        var inner = Directory.CreateDirectory(Path.Combine(folder, "inner")).FullName;
        using var file = new FileStream(Path.Combine(inner, "file"), FileMode.Create, FileAccess.Write, FileShare.ReadWrite | FileShare.Delete);
        try
        {
            Directory.Delete(inner, recursive: true);
            return null;
        }
        catch (IOException)
        {
            return "a directory with an open file cannot be removed";
        }
    }));

    // Windows appends with one step to a handle without the right to write elsewhere.
    private static readonly Lazy<string?> AppendsResult = new(() => Try(static folder =>
    {
        const int writers = 2;
        const int writes = 2_000;
        const int size = 16;
        if (!OperatingSystem.IsWindows())
            return null;
        var file = new FileInfo(Path.Combine(folder, "file"));
        file.Create().Dispose();
        Parallel.For(0, writers, new ParallelOptions { MaxDegreeOfParallelism = writers }, _ =>
        {
            using var stream = file.Create(FileMode.Open, FileSystemRights.AppendData | FileSystemRights.Synchronize, FileShare.ReadWrite, 1, FileOptions.None, null);
            for (var write = 0; write < writes; write++)
                RandomAccess.Write(stream.SafeFileHandle, new byte[size], 0);
        });
        file.Refresh();
        return file.Length == writers * writes * size ? null : "the system appends in two steps, so that writers at one time overwrite each other";
    }));

    private static readonly Lazy<string?> PermissionsResult = new(() => Try(static folder =>
    {
        var path = Path.Combine(folder, "file");
        File.WriteAllText(path, "");
        File.SetAttributes(path, FileAttributes.ReadOnly);
        try
        {
            new FileStream(path, FileMode.Open, FileAccess.Write).Dispose();
            return "this user may write a read-only file";
        }
        catch (UnauthorizedAccessException)
        {
            return null;
        }
        finally
        {
            File.SetAttributes(path, FileAttributes.Normal);
        }
    }));

    private static readonly Lazy<string?> OneCaseResult = new(() => Try(static folder =>
    {
        File.WriteAllText(Path.Combine(folder, "name"), "");
        return File.Exists(Path.Combine(folder, "NAME")) ? null : "names that differ in case are two files";
    }));

    private static readonly Lazy<string?> TlsResult = new(() => Try(static folder =>
    {
        using var authority = new Authority(folder);
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        using var client = new TcpClient();
        client.Connect((IPEndPoint)listener.LocalEndpoint);
        using var server = new SslStream(listener.AcceptTcpClient().GetStream());
        using var stream = new SslStream(client.GetStream());
        var accepted = server.AuthenticateAsServerAsync(authority.Server);
        stream.AuthenticateAsClientAsync(new SslClientAuthenticationOptions
        {
            TargetHost = "localhost",
            CertificateChainPolicy = new X509ChainPolicy { TrustMode = X509ChainTrustMode.CustomRootTrust, RevocationMode = X509RevocationMode.NoCheck, CustomTrustStore = { authority.Root } },
        }).Wait(TimeSpan.FromSeconds(20));
        return accepted.Wait(TimeSpan.FromSeconds(20)) ? null : "no handshake";
    }));

    public static string? Unix() => OperatingSystem.IsWindows() ? "Windows has none" : null;

    public static string? Windows() => OperatingSystem.IsWindows() ? null : "only Windows has it";

    public static string? Links() => LinksResult.Value;

    public static string? RemovableDirectories() => DirectoriesResult.Value;

    public static string? AtomicAppends() => AppendsResult.Value;

    public static string? Permissions() => PermissionsResult.Value;

    public static string? OneCase() => OneCaseResult.Value;

    /// <summary>Two streams of .NET with certificates of an authority of their own.</summary>
    public static string? Tls() => TlsResult.Value;

    public static string? CrashBuffer() => OperatingSystem.IsLinux() && Directory.Exists("/dev/shm") ? null : "AsyncLog has crash buffers on Linux with /dev/shm only";

    public static string? NoCrashBuffer() => OperatingSystem.IsLinux() ? "Linux has crash buffers" : null;

    /// <summary>A socket for datagrams with a path.</summary>
    public static string? UnixDatagrams()
    {
        try
        {
            new Socket(AddressFamily.Unix, SocketType.Dgram, ProtocolType.Unspecified).Dispose();
            return null;
        }
        catch (SocketException exception)
        {
            return $"no local sockets for datagrams: {exception.SocketErrorCode}";
        }
    }

    private static string? Try(Func<string, string?> attempt)
    {
        var folder = Directory.CreateTempSubdirectory("asynclog-need-");
        try
        {
            return attempt(folder.FullName);
        }
        catch (Exception exception)
        {
            var cause = (exception as AggregateException)?.InnerException ?? exception;
            return $"{cause.GetType().Name}: {(cause.InnerException ?? cause).Message}";
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }
}
