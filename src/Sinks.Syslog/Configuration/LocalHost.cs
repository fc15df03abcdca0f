using System.Net;
using System.Net.NetworkInformation;
using System.Net.Sockets;

namespace AsyncLog;

/// <summary>The name of this machine as records carry it; decided once, for the process's life, without a network query.</summary>
internal static class LocalHost
{
    private const string NoDomain = "(none)";
    private static readonly Lazy<string> Decided = new(Decide);

    /// <summary>The full name, else the name, else an address; empty when nothing is known.</summary>
    public static string Name => Decided.Value;

    /// <summary>Puts a host name and a domain together.</summary>
    public static string Join(string? host, string? domain)
    {
        host = host?.Trim().TrimEnd('.');
        domain = domain?.Trim().Trim('.');
        return string.IsNullOrEmpty(host) ? ""
            : host.Contains('.') || string.IsNullOrEmpty(domain) || domain == NoDomain ? host
            : $"{host}.{domain}";
    }

    /// <summary>The first label of a name; an address stays whole.</summary>
    public static string WithoutDomain(string name) => IPAddress.TryParse(name, out _) ? name : name.Split('.')[0];

    private static string Decide()
    {
        try
        {
            var properties = IPGlobalProperties.GetIPGlobalProperties();
            var name = Join(properties.HostName, properties.DomainName);
            return name.Length > 0 ? name : FirstAddress();
        }
        catch (Exception exception) when (exception is NetworkInformationException or SocketException or PlatformNotSupportedException)
        {
            // The full name is not available; the short one is.
            return Environment.MachineName;
        }
    }

    private static string FirstAddress()
    {
        foreach (var network in NetworkInterface.GetAllNetworkInterfaces())
        {
            if (network.OperationalStatus != OperationalStatus.Up)
                continue;
            foreach (var address in network.GetIPProperties().UnicastAddresses)
            {
                if (!IPAddress.IsLoopback(address.Address) && !address.Address.IsIPv6LinkLocal)
                    return address.Address.ToString();
            }
        }

        return "";
    }
}
