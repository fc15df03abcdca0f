namespace AsyncLog;

/// <summary>Cuts a rendered message again, for a path that does not carry it (RFC 5426 §3.2): the text first, then all structured data.</summary>
internal static class RecordRecut
{
    private const int SafeDatagram = 1180;

    /// <summary>The limit of the second cut.</summary>
    public static int LimitFor(int maxMessageBytes) => Math.Min(maxMessageBytes / 2, SafeDatagram);

    /// <summary>Cuts a message.</summary>
    /// <param name="message">The message as it was sent: without framing, number included.</param>
    /// <param name="limit">The most bytes of the result.</param>
    /// <param name="layout">What the message was rendered with.</param>
    /// <param name="destination">At least <paramref name="limit"/> bytes.</param>
    /// <param name="droppedParameters">Parameters that were left out by this cut.</param>
    /// <returns>The bytes written; 0 when not even the header fits.</returns>
    public static int Cut(ReadOnlySpan<byte> message, int limit, SyslogLayout layout, Span<byte> destination, out int droppedParameters)
        => throw new NotSupportedException();
}
