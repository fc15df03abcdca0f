using System.Net;

namespace AsyncLog;

/// <summary>Opens UDP sockets.</summary>
internal interface IUdpSockets
{
    /// <summary>The first address that this machine has a route to; null when there is none.</summary>
    IPAddress? FirstReachable(IReadOnlyList<IPAddress> addresses, int port);

    /// <summary>Opens a socket to one receiver.</summary>
    /// <exception cref="LogSinkException">It cannot be opened.</exception>
    IDatagramSocket Open(IPAddress address, int port, bool isConnected);
}
