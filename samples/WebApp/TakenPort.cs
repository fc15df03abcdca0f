using System.Net;
using System.Net.NetworkInformation;

namespace WebApp;

/// <summary>Asks before the start whether another process listens on the port: one line with the cure in place of the stacks of the server and of the host.</summary>
internal static class TakenPort
{
    private const string Default = "http://localhost:5000";

    /// <summary>The line to print; null if the port is free.</summary>
    public static string? Find(IConfiguration configuration)
    {
        var urls = configuration["urls"] is { Length: > 0 } set ? set : Default;
        var listeners = IPGlobalProperties.GetIPGlobalProperties().GetActiveTcpListeners();
        return urls.Split(';', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries).FirstOrDefault(url => Array.Exists(listeners, listener => Meets(listener, BindingAddress.Parse(url)))) is { } taken
            ? $"another process listens on {taken}. Choose another port: dotnet run --project samples/WebApp -- --urls http://localhost:5080"
            : null;
    }

    private static bool Meets(IPEndPoint listener, BindingAddress address)
        => listener.Port == address.Port && (IPAddress.IsLoopback(listener.Address) || listener.Address.Equals(IPAddress.Any) || listener.Address.Equals(IPAddress.IPv6Any));
}
