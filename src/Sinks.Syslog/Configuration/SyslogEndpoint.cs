using System.Globalization;
using System.Text;

namespace AsyncLog;

/// <summary>The endpoint of a receiver, and the rules of the option.</summary>
internal sealed class SyslogEndpoint
{
    public const string Udp = "udp";
    public const string Tcp = "tcp";
    public const string Tls = "tls";
    public const string Unix = "unix";

    private const string Expected = "expected udp://host[:514], tcp://host[:514], tls://host[:6514] or unix:///path";
    private const int SyslogPort = 514;
    private const int TlsPort = 6514;

    // Capacity of the address of a local socket on Linux, without the final zero.
    private const int LongestPath = 107;

    private readonly string _text;

    /// <param name="uri">A URI that <see cref="Rule"/> accepts.</param>
    public SyslogEndpoint(Uri uri)
    {
        Scheme = uri.Scheme;
        var isUnix = Scheme == Unix;
        Host = isUnix ? "" : uri.IdnHost;
        Port = isUnix ? 0 : uri.Port > 0 ? uri.Port : Scheme == Tls ? TlsPort : SyslogPort;
        Path = isUnix ? uri.LocalPath : "";
        _text = isUnix ? $"unix://{Path}" : FormattableString.Invariant($"{Scheme}://{uri.Host}:{Port}");
    }

    /// <summary>The endpoint where nothing is configured and this machine has no socket of a local daemon.</summary>
    public static Uri Default { get; } = new("udp://localhost:514");

    public string Scheme { get; }

    /// <summary>A name or an address; empty with <c>unix://</c>.</summary>
    public string Host { get; }

    /// <summary>The port given, else that of the scheme; 0 with <c>unix://</c>.</summary>
    public int Port { get; }

    /// <summary>The path of a Unix socket; else empty.</summary>
    public string Path { get; }

    /// <summary>OpenTelemetry's name of the transport.</summary>
    public string Transport => Scheme == Tls ? Tcp : Scheme;

    /// <summary>The socket of the local daemon.</summary>
    /// <returns>Null: this machine has none.</returns>
    public static Uri? FindLocal() => OperatingSystem.IsLinux() ? FindLocal("/dev/log") : OperatingSystem.IsMacOS() ? FindLocal("/var/run/syslog") : null;

    /// <summary>The socket of a local daemon.</summary>
    /// <returns>Null: there is none, or only a link to one that is gone.</returns>
    public static Uri? FindLocal(string path) =>
        File.Exists(path) && File.ResolveLinkTarget(path, returnFinalTarget: true) is null or { Exists: true } ? new Uri($"{Unix}://{path}") : null;

    public static ParseResult<Uri?> Parse(string text) =>
        !text.Contains("://", StringComparison.Ordinal) && Uri.TryCreate($"{Udp}://{text}", UriKind.Absolute, out Uri? meant) && Rule(meant) is null
            ? ParseResult<Uri?>.Invalid($"{Expected}; did you mean {Udp}://{text}?")
        : Uri.TryCreate(text, UriKind.Absolute, out Uri? uri) ? new ParseResult<Uri?>(uri)
        : ParseResult<Uri?>.Invalid(Expected + ", with a port from 1 to 65535");

    /// <summary>The broken rule, or null.</summary>
    public static string? Rule(Uri? uri) =>
        uri is null ? null
        : !uri.IsAbsoluteUri ? Expected
        : uri.Scheme is not (Udp or Tcp or Tls or Unix) ? Expected
        : uri.UserInfo.Length > 0 ? "must not contain a user or password"
        : uri.Query.Length > 0 || uri.Fragment.Length > 0 ? "must not contain a query or fragment"
        : uri.Scheme == Unix ? PathRule(uri)
        : uri.Host.Length == 0 ? "must name a host; " + Expected
        : uri.Port == 0 ? "must have a port from 1 to 65535"
        : uri.AbsolutePath.Length > 1 ? "must not contain a path"
        : null;

    /// <inheritdoc/>
    /// <returns>Scheme, host and port, or path: as it stands in messages and status.</returns>
    public override string ToString() => _text;

    private static string? PathRule(Uri uri) =>
        uri.Host.Length > 0 ? "must have three slashes before the path: unix:///path"
        : uri.AbsolutePath.Length <= 1 ? "must name the path of a socket: unix:///path"
        : Encoding.UTF8.GetByteCount(uri.LocalPath) > LongestPath
            ? string.Create(CultureInfo.InvariantCulture, $"must name the path of a socket, which has at most {LongestPath} bytes in UTF-8")
        : null;
}
