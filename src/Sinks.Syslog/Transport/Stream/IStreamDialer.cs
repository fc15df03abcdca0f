namespace AsyncLog;

/// <summary>Makes connections to one receiver.</summary>
internal interface IStreamDialer
{
    /// <summary>Connects; each attempt resolves the name again and tries all addresses.</summary>
    /// <exception cref="LogSinkException">There is no connection; why.</exception>
    IStreamConnection Dial(TransportSettings settings, CancellationToken cancellationToken);
}
