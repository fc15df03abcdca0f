using System.Collections.Concurrent;
using System.Net;

namespace AsyncLog.Tests.Transport;

/// <summary>A proxy for one name. The environment's proxy is the process's: other tests go their own way.</summary>
internal sealed class ProxyFor : IDisposable
{
    private static readonly Routes Shared = Install();

    public ProxyFor(string host, int port)
    {
        Target = new Uri($"http://{host}:4318/v1/logs");
        Shared.Proxies[host] = new Uri(FormattableString.Invariant($"http://127.0.0.1:{port}"));
    }

    public Uri Target { get; }

    public void Dispose() => Shared.Proxies.TryRemove(Target.Host, out _);

    private static Routes Install()
    {
        var routes = new Routes();
        HttpClient.DefaultProxy = routes;
        return routes;
    }

    private sealed class Routes : IWebProxy
    {
        public ConcurrentDictionary<string, Uri> Proxies { get; } = new(StringComparer.OrdinalIgnoreCase);

        public ICredentials? Credentials { get; set; }

        public Uri? GetProxy(Uri destination) => Proxies.GetValueOrDefault(destination.Host);

        public bool IsBypassed(Uri host) => !Proxies.ContainsKey(host.Host);
    }
}
