using AsyncLog.Tests.Transport;

namespace AsyncLog.Tests.Receivers;

/// <summary>Over UDP nothing is known about arrival, but the receiving system counts what it threw away.</summary>
[Trait("Category", "system")]
public sealed class DatagramLossTests
{
    [Theory]
    [InlineData("rsyslog")]
    [InlineData("syslog-ng")]
    public void Received_and_dropped_by_the_receiving_socket_add_up_to_written(string kind)
    {
        using RealReceiver receiver = RealReceiver.Start(kind);
        using var pipeline = new SyslogPipeline(options =>
        {
            options.Endpoint = new Uri($"udp://127.0.0.1:{receiver.Port("udp")}");
            // The caller is faster than the worker: none is to be lost before it is sent.
            (options.QueueFullMode, options.WaitTimeout) = (QueueFullMode.Wait, TimeSpan.FromMinutes(1));
        });
        const int Count = 50_000;
        pipeline.Log(Count, length: 200);
        Assert.True(pipeline.Flush());
        SinkStatus status = pipeline.AssertConservation(Count);
        Assert.Equal((Count, 0), (status.Written, status.Errors.Count));
        Eventually.True(() => receiver.CountLines() + receiver.DroppedDatagrams() >= Count, pollMilliseconds: 100);
        Assert.Equal(Count, receiver.CountLines() + receiver.DroppedDatagrams());
    }
}
