using System.Globalization;
using System.Net.Sockets;
using System.Text;

namespace AsyncLog.Bench;

/// <summary>The requests of one HTTP/1.1 connection, one at a time: the sender waits for the answer.</summary>
internal sealed class HttpRequestReader(Socket connection)
{
    private const int HeadRoom = 64 << 10;
    private const string Length = "\r\nContent-Length:";

    private byte[] _buffer = new byte[HeadRoom];
    private int _begin;
    private int _end;

    public string Path { get; private set; } = "";

    /// <summary>Valid until the next request.</summary>
    public ReadOnlySpan<byte> Body => _buffer.AsSpan(_begin, _end - _begin);

    /// <returns>False at the end of the connection.</returns>
    /// <exception cref="FormatException">A request without a length, or more than one at a time.</exception>
    public bool Next()
    {
        _end = 0;
        int head;
        while ((head = _buffer.AsSpan(0, _end).IndexOf("\r\n\r\n"u8)) < 0)
        {
            if (!Receive())
                return false;
        }

        var text = Encoding.ASCII.GetString(_buffer, 0, head);
        Path = text.Split(' ', 3)[1];
        _begin = head + 4;
        var length = _begin + LengthIn(text);
        if (length > _buffer.Length)
            Array.Resize(ref _buffer, length);
        while (_end < length)
        {
            if (!Receive())
                return false;
        }

        return _end == length ? true : throw new FormatException("a request before the answer to the last one");
    }

    private static int LengthIn(string head)
    {
        var at = head.IndexOf(Length, StringComparison.OrdinalIgnoreCase);
        if (at < 0)
            return head.StartsWith("GET ", StringComparison.Ordinal) ? 0 : throw new FormatException("a request without a length");
        at += Length.Length;
        var end = head.IndexOf('\r', at);
        return int.Parse(head.AsSpan(at..(end < 0 ? head.Length : end)).Trim(), CultureInfo.InvariantCulture);
    }

    private bool Receive()
    {
        if (_end == _buffer.Length)
            throw new FormatException("a head longer than the buffer, or a request before the answer to the last one");
        var read = connection.Receive(_buffer.AsSpan(_end));
        _end += read;
        return read > 0;
    }
}
