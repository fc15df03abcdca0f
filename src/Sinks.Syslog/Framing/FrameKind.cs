namespace AsyncLog;

/// <summary>What the rendered bytes of a record are on the wire.</summary>
internal enum FrameKind
{
    /// <summary>The record alone: UDP and local sockets. On a local stream socket the transport puts the line feed behind it.</summary>
    None,

    /// <summary>Length in decimal, a space, the record.</summary>
    OctetCounting,

    /// <summary>The record and a line feed.</summary>
    LineFeed,
}
