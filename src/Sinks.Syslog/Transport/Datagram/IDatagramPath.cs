using System.Net.Sockets;

namespace AsyncLog;

/// <summary>Finds the receiver of datagrams and keeps the socket to it.</summary>
internal interface IDatagramPath : IDisposable
{
    /// <summary>What to do about a failed send.</summary>
    DatagramRemedy RemedyFor(SocketError error);

    /// <summary>When <see cref="Ready"/> wants to be called although nothing is to be sent; null: never.</summary>
    DateTimeOffset? NextDue(TransportSettings settings);

    /// <summary>The socket to send through.</summary>
    /// <exception cref="LogSinkException">There is no way to the receiver now.</exception>
    IDatagramSocket Ready(TransportSettings settings, CancellationToken cancellationToken);

    /// <summary>The receiver's address led nowhere: look it up again.</summary>
    void LookAgain();

    /// <summary>Gives the socket up; <see cref="Ready"/> opens another.</summary>
    void Reopen();
}
