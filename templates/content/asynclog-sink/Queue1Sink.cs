using System.Net.Sockets;
using AsyncLog;
using AsyncLog.Sinks;
using Microsoft.Extensions.Logging;

namespace Company.Sink1;

/// <summary>Sends records to a TCP server, one line each: replace it with what your destination needs.</summary>
/// <remarks>The instance's worker is the only caller, one batch at a time. A normal return means that everything left is written; throwing means "again later, with what is left".
/// The alias names the section, <c>Logging:Queue1</c>, and the instance, <c>queue1/default</c>.</remarks>
[ProviderAlias("Queue1")]
public sealed class Queue1Sink : ILogSink
{
    private readonly Queue1SinkOptions _options;
    private TcpClient? _client;

    public Queue1Sink(Queue1SinkOptions options, SinkContext context)
    {
        _options = options;
        context.SetTarget($"tcp://{options.Host}:{options.Port}");
    }

    public async ValueTask WriteAsync(LogBatch batch, CancellationToken cancellationToken)
    {
        try
        {
            if (_client is not null && HasClosed(_client))
            {
                _client.Dispose();
                _client = null;
            }

            _client ??= await ConnectAsync(cancellationToken);
            while (batch.Count > 0)
            {
                var length = batch[0].Bytes.Length;
                await _client.GetStream().WriteAsync(batch.Bytes[..length], cancellationToken);

                // Progress: what was sent is not sent again when a later write throws.
                batch.Advance(length);
            }
        }
        catch (Exception exception) when (exception is SocketException or IOException)
        {
            _client?.Dispose();
            _client = null;
            throw new LogSinkException("unreachable", $"{_options.Host}:{_options.Port} does not answer: {exception.Message}");
        }
    }

    public ValueTask DisposeAsync()
    {
        _client?.Dispose();
        return ValueTask.CompletedTask;
    }

    // A server that ended or restarted has closed the connection, and the first write to it would still succeed. This server sends nothing, so what can be read is the end.
    private static bool HasClosed(TcpClient client) => client.Client.Poll(TimeSpan.Zero, SelectMode.SelectRead) && client.Client.Available == 0;

    private async Task<TcpClient> ConnectAsync(CancellationToken cancellationToken)
    {
        var client = new TcpClient();
        try
        {
            await client.ConnectAsync(_options.Host, _options.Port, cancellationToken);
            return client;
        }
        catch
        {
            client.Dispose();
            throw;
        }
    }
}
