using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;

namespace AsyncLog.Bench;

/// <summary>Takes requests with log records, answers after a while, and counts. Runs until it is killed.</summary>
/// <remarks>Plain sockets, a thread for each connection, and one buffer that is kept: what it costs is taken from the two cores that the libraries run on.</remarks>
internal sealed class OtlpReceiver(int delay)
{
    public const string Command = "otlp-receiver";
    public const string LogsPath = "/v1/logs";
    public const string SeenPath = "/seen";
    public const string AddressFile = "receiver";

    private static readonly byte[] Accepted = [.. "HTTP/1.1 200 OK\r\nContent-Type: application/x-protobuf\r\nContent-Length: 2\r\n\r\n"u8, 0x0A, 0x00];
    private readonly Lock _gate = new();
    private WrittenLines _seen;

    public static int Run(BenchArguments arguments)
    {
        var receiver = new OtlpReceiver(arguments.Number("delay", 0));
        using var listener = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listener.Listen();
        // The file is complete as soon as it has its name.
        var file = Path.Combine(arguments.Text("directory", "."), AddressFile);
        File.WriteAllText(file + ".new", $"http://{listener.LocalEndPoint}");
        File.Move(file + ".new", file);
        while (true)
        {
            var connection = listener.Accept();
            connection.NoDelay = true;
            new Thread(() => receiver.Serve(connection)).Start();
        }
    }

    // A request that is not understood ends the process, and with it the run.
    private void Serve(Socket connection)
    {
        using (connection)
        {
            for (var requests = new HttpRequestReader(connection); requests.Next();)
            {
                if (requests.Path == SeenPath)
                    connection.Send(Seen());
                else
                    Take(connection, requests.Body);
            }
        }
    }

    private void Take(Socket connection, ReadOnlySpan<byte> request)
    {
        if (delay > 0)
            Thread.Sleep(delay);
        // Answered before it is counted. A reader of the count waits for the lock, so it never misses an answered request.
        lock (_gate)
        {
            connection.Send(Accepted);
            _seen = _seen.Plus(OtlpRecords.In(request));
        }
    }

    private byte[] Seen()
    {
        lock (_gate)
        {
            var text = string.Create(CultureInfo.InvariantCulture, $"{_seen.Count} {_seen.Sum}");
            return Encoding.ASCII.GetBytes(string.Create(CultureInfo.InvariantCulture, $"HTTP/1.1 200 OK\r\nContent-Length: {text.Length}\r\n\r\n{text}"));
        }
    }
}
