using System.Globalization;
using System.Net.Sockets;
using System.Text;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Bench;

/// <summary>The baseline: a provider that sends to its receiver inside the call, one caller after the other, as appenders did that made requests wait.</summary>
internal sealed class SynchronousSyslogLibrary(Uri receiver) : ILibrary
{
    // The megabytes that the system grants on loopback would put the collapse off beyond a measurement.
    private const int SendBufferBytes = 64 << 10;

    public void AddTo(ILoggingBuilder builder) => builder.AddProvider(new Provider(receiver));

    public void Dispose()
    {
        // the container owns the provider
    }

    private sealed class Provider(Uri receiver) : ILoggerProvider, ILogger
    {
        private readonly Lock _lock = new();
        private Socket? _socket;

        public ILogger CreateLogger(string categoryName) => this;

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
        {
            string record = string.Create(
                CultureInfo.InvariantCulture, $"<14>1 {TimeProvider.System.GetUtcNow():yyyy-MM-ddTHH:mm:ss.ffffffZ} host-1 bench 4242 - - {formatter(state, exception)}");
            byte[] frame = Encoding.UTF8.GetBytes(string.Create(CultureInfo.InvariantCulture, $"{Encoding.UTF8.GetByteCount(record)} {record}"));
            lock (_lock)
                Send(frame);
        }

        public void Dispose() => _socket?.Dispose();

        // A receiver that has gone costs the record; the next one tries again.
        private void Send(byte[] frame)
        {
            try
            {
                _socket ??= Connect();
                _socket.Send(frame);
            }
            catch (SocketException)
            {
                _socket?.Dispose();
                _socket = null;
            }
        }

        private Socket Connect()
        {
            var socket = new Socket(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true, SendBufferSize = SendBufferBytes };
            socket.Connect(receiver.Host, receiver.Port);
            return socket;
        }
    }
}
