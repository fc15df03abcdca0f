using System.Net.Sockets;

namespace AsyncLog;

/// <summary>Finds the receiver of datagrams and keeps the socket to it.</summary>
internal interface IDatagramPath : IDisposable
{
    /// <summary>What to do about a failed send.</summary>
    DatagramRemedy RemedyFor(SocketError error);

    /// <summary>Whether a socket that takes nothing means that the receiver is slow, not that the network loses anyway: records wait for it.</summary>
    bool IsReliable { get; }

    /// <summary>When <see cref="Ready"/> wants to be called although nothing is to be sent; null: never.</summary>
    DateTimeOffset? NextDue(TransportSettings settings);

    /// <summary>The socket to send through.</summary>
    /// <exception cref="LogSinkException">There is no way to the receiver now.</exception>
    IDatagramSocket Ready(TransportSettings settings, CancellationToken cancellationToken);

    /// <summary>The receiver's address led nowhere: look for another, and for its name, again.</summary>
    void LookAgain();

    /// <summary>The receiver's system refused a datagram: the socket to send it through once more, to the next address where there is one.</summary>
    /// <param name="settings">What the options say.</param>
    /// <param name="refusals">How many refusals this datagram met.</param>
    /// <returns>Null: each address was tried.</returns>
    IDatagramSocket? AfterRefusal(TransportSettings settings, int refusals);

    /// <summary>Whether refusals only lead to another address, because <c>ReportUnreachable</c> is off. A record that each address refuses then counts as
    /// sent, as over the unconnected socket of a single address, which does not notice refusals.</summary>
    bool HidesRefusals(TransportSettings settings);

    /// <summary>Gives the socket up; <see cref="Ready"/> opens another.</summary>
    void Reopen();
}
