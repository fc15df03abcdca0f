using System.Collections.Concurrent;
using System.Globalization;
using System.IO.Compression;
using System.Net;
using System.Net.Sockets;
using System.Text;
using System.Text.RegularExpressions;

namespace AsyncLog.PlatformProbe;

/// <summary>Answers requests of HTTP/1.1. Without a server of the framework, which not every platform can run.</summary>
internal sealed partial class HttpReceiver : IDisposable
{
    private readonly TcpListener _listener;
    private readonly Func<int, int> _statusOf;
    private readonly ConcurrentQueue<Request> _requests = new();
    private int _count;

    /// <param name="statusOf">Returns the status code for a request by its number, from 0 on; null: always 200.</param>
    /// <param name="port">The port; 0: a free one.</param>
    public HttpReceiver(Func<int, int>? statusOf = null, int port = 0)
    {
        _statusOf = statusOf ?? (static _ => 200);
        _listener = new TcpListener(IPAddress.Loopback, port);
        _listener.Start();
        Endpoint = $"http://127.0.0.1:{((IPEndPoint)_listener.LocalEndpoint).Port}";
        new Thread(Accept) { IsBackground = true, Name = "receiver" }.Start();
    }

    public string Endpoint { get; }

    /// <summary>All requests with their status codes.</summary>
    public IReadOnlyCollection<Request> Requests => _requests;

    /// <summary>The messages of records in the requests that were answered with 200, in their order.</summary>
    public IEnumerable<string> Messages => _requests.Where(static request => request.Status == 200).SelectMany(static request => request.Messages);

    public void Dispose() => _listener.Dispose();

    private void Accept()
    {
        try
        {
            while (true)
            {
                var client = _listener.AcceptTcpClient();
                new Thread(() => Serve(client)) { IsBackground = true, Name = "receiver connection" }.Start();
            }
        }
        catch (Exception exception) when (exception is SocketException or ObjectDisposedException or InvalidOperationException)
        {
            // Closed.
        }
    }

    private void Serve(TcpClient client)
    {
        using (client)
        {
            try
            {
                using var stream = new BufferedStream(client.GetStream());
                while (ReadHead(stream) is { Length: > 0 } head)
                {
                    var body = new byte[int.Parse(LengthPattern().Match(head).Groups[1].Value, CultureInfo.InvariantCulture)];
                    stream.ReadExactly(body);
                    var request = new Request(head, body, _statusOf(Interlocked.Increment(ref _count) - 1));
                    _requests.Enqueue(request);
                    stream.Write(Encoding.ASCII.GetBytes($"HTTP/1.1 {request.Status} Answer\r\nContent-Type: application/x-protobuf\r\nContent-Length: 0\r\n\r\n"));
                    stream.Flush();
                }
            }
            catch (Exception exception) when (exception is IOException or SocketException)
            {
                // The client is gone.
            }
        }
    }

    private static string ReadHead(Stream stream)
    {
        var head = new StringBuilder();
        while (stream.ReadByte() is >= 0 and var next)
        {
            head.Append((char)next);
            if (next == '\n' && head.Length > 3 && head[^3] == '\n')
                break;
        }

        return head.ToString();
    }

    [GeneratedRegex(@"Content-Length: (\d+)", RegexOptions.IgnoreCase)]
    private static partial Regex LengthPattern();

    /// <summary>A request.</summary>
    /// <param name="Head">Its first line and headers.</param>
    /// <param name="Body">Its bytes.</param>
    /// <param name="Status">The answer.</param>
    internal sealed partial record Request(string Head, byte[] Body, int Status)
    {
        /// <summary>The body, unpacked; strings are in it as they are (UTF-8).</summary>
        public string Text
        {
            get
            {
                if (!Head.Contains("Content-Encoding: gzip", StringComparison.OrdinalIgnoreCase))
                    return Encoding.UTF8.GetString(Body);
                using var unpacked = new StreamReader(new GZipStream(new MemoryStream(Body), CompressionMode.Decompress), Encoding.UTF8);
                return unpacked.ReadToEnd();
            }
        }

        public IEnumerable<string> Messages => MessagePattern().Matches(Text).Select(static match => match.Value);

        [GeneratedRegex(@"record \d+\.")]
        private static partial Regex MessagePattern();
    }
}
