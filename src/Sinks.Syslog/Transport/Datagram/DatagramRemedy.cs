namespace AsyncLog;

/// <summary>What is done about a datagram that the system did not take.</summary>
internal enum DatagramRemedy
{
    /// <summary>It is dropped; the next one has the same chance.</summary>
    Drop,

    /// <summary>Wait until the socket takes datagrams, send it again.</summary>
    WaitForRoom,

    /// <summary>Wait 10 ms, send it once more.</summary>
    WaitBriefly,

    /// <summary>Send it once more at once: the refusal was about an earlier one.</summary>
    SendAgain,

    /// <summary>Cut it, send it once more.</summary>
    Cut,

    /// <summary>It is dropped, and the receiver's name is resolved again.</summary>
    DropAndLookAgain,

    /// <summary>It is dropped, and the next one gets a new socket after a pause.</summary>
    DropAndReopen,

    /// <summary>It waits: the receiver is away.</summary>
    Wait,
}
