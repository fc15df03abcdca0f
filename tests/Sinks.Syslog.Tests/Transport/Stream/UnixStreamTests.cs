using System.Net.Sockets;
using System.Text;

namespace AsyncLog.Tests.Transport.Stream;

/// <summary>A local daemon that listens on a stream socket.</summary>
[OnLinux("what its Unix sockets report")]
public sealed class UnixStreamTests : IDisposable
{
    // A record with its line feed.
    private static readonly int FrameBytes = Encoding.UTF8.GetByteCount(Records.Series(1, length: 20)[0]) + 1;

    private readonly TempFolder _folder = new();
    private readonly RecordingContext _context = new();
    private readonly AsyncSyslogLoggerOptions _options;
    private readonly StreamTransport _transport;

    public UnixStreamTests()
    {
        _options = new AsyncSyslogLoggerOptions { Endpoint = new Uri($"unix://{Path}"), ReconnectDelay = TimeSpan.Zero, SendTimeout = TimeSpan.FromSeconds(30) };
        var clock = new BoundedWait(TimeProvider.System);
        _transport = new StreamTransport(_options, new StreamDialer(_options, clock).Connect, new SequenceCounter(), clock, _context, static () => 1);
    }

    private string Path => System.IO.Path.Combine(_folder.Path, "log");

    [Fact]
    public void What_a_daemon_that_dies_has_not_read_is_uncertain()
    {
        using var daemon = new StreamReceiver(static _ => new ReceiverScript { ReadLimit = 22 * FrameBytes }, new UnixDomainSocketEndPoint(Path));
        Write(100);
        Eventually.True(() => daemon.Connections.Count == 1 && daemon.Connections[0].ByteCount == 22 * FrameBytes);
        Assert.Equal(0, _context.Uncertain);

        daemon.Connections[0].End(ReceiverEnd.Reset);

        Eventually.True(() => _transport.NextDue is null, Due);
        Assert.InRange(_context.Uncertain, 78, 100);
    }

    [Fact]
    public void What_a_daemon_had_read_before_the_last_records_is_not_uncertain()
    {
        using var daemon = new StreamReceiver(static _ => new ReceiverScript { ReadLimit = 1000 * FrameBytes }, new UnixDomainSocketEndPoint(Path));
        Write(1000);
        Eventually.True(() => daemon.Connections.Count == 1 && daemon.Connections[0].ByteCount == 1000 * FrameBytes);
        Due();
        Write(5);

        daemon.Connections[0].End(ReceiverEnd.Reset);

        Eventually.True(() => _transport.NextDue is null, Due);
        Assert.Equal(5, _context.Uncertain);
    }

    [Fact]
    public void Nothing_is_uncertain_when_a_daemon_ends_that_has_read_everything()
    {
        using var daemon = new StreamReceiver(static _ => new ReceiverScript { ReadLimit = 100 * FrameBytes, AfterLimit = ReceiverEnd.Close }, new UnixDomainSocketEndPoint(Path));
        Write(100);

        Eventually.True(() => _transport.NextDue is null, Due);
        Eventually.True(() => daemon.Connections.Sum(static connection => connection.ByteCount) >= 100 * FrameBytes);
        Assert.Equal(100 * FrameBytes, Assert.Single(daemon.Connections).ByteCount);
        Assert.Equal(0, _context.Uncertain);
    }

    [Fact]
    public void A_record_that_finds_a_dead_daemon_goes_to_the_next_one_and_nothing_is_sent_twice()
    {
        using (var first = new StreamReceiver(static _ => new ReceiverScript { ReadLimit = FrameBytes }, new UnixDomainSocketEndPoint(Path)))
        {
            Write(3);
            Eventually.True(() => first.Connections.Count == 1 && first.Connections[0].ByteCount == FrameBytes);
        }

        File.Delete(Path);
        using var second = new StreamReceiver(endPoint: new UnixDomainSocketEndPoint(Path));
        LogBatch batch = Batch(2);
        Eventually.True(() => batch.Count == 0, () => TryWrite(batch));
        Eventually.True(() => second.Connections.Sum(static connection => connection.ByteCount) >= 2 * FrameBytes);
        Assert.Equal(
            string.Concat(Records.Series(2, length: 20).Select(static record => record + '\n')),
            Encoding.UTF8.GetString([.. second.Connections.SelectMany(static connection => connection.Bytes)]));
        Assert.Equal(3, _context.Uncertain);
    }

    public void Dispose()
    {
        _transport.Dispose();
        _folder.Dispose();
    }

    private static LogBatch Batch(int records) => Records.Batch(Records.Series(records, length: 20));

    private void Write(int records) => _transport.Write(Batch(records), CancellationToken.None);

    private void TryWrite(LogBatch batch)
    {
        try
        {
            _transport.Write(batch, CancellationToken.None);
        }
        catch (LogSinkException)
        {
            // The daemon is gone: the next attempt reaches the next one.
        }
    }

    private void Due()
    {
        try
        {
            _transport.RunDue(CancellationToken.None);
        }
        catch (LogSinkException)
        {
            // the connection broke
        }
    }
}
