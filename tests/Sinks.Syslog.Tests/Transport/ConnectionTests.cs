using System.Net;
using AsyncLog.Tests.Transport.Datagram;

namespace AsyncLog.Tests.Transport;

public sealed class ConnectionTests
{
    [Fact]
    public void A_datagram_socket_is_counted_under_its_transport_and_server()
    {
        using var receiver = new DatagramReceiver(new IPEndPoint(IPAddress.Loopback, 0));
        using var pipeline = new SyslogPipeline(options => options.Endpoint = new Uri($"udp://127.0.0.1:{receiver.Port}"));
        pipeline.Log(1);
        Assert.True(pipeline.Flush());
        SinkStatus status = pipeline.Status;
        Assert.Equal(("127.0.0.1", receiver.Port), (status.ServerAddress, status.ServerPort));
        Assert.Equal(1, pipeline.Connects);
        SinkMeasurement opened = Assert.Single(status.Measurements, static measurement => measurement.Name == "asynclog.connection.opened");
        Assert.Equal((1L, SinkInstrumentKind.Counter, "{connection}"), (opened.Value, opened.Kind, opened.Unit));
        Assert.Equal([KeyValuePair.Create("network.transport", "udp")], opened.Tags);
        SinkMeasurement left = Assert.Single(status.Measurements, static measurement => measurement.Name == "asynclog.syslog.parameters.dropped");
        Assert.Equal((0L, SinkInstrumentKind.Counter, "{parameter}"), (left.Value, left.Kind, left.Unit));
    }

    [Fact]
    public void Connections_that_fail_are_counted_by_class()
    {
        int closed = Ports.Free();
        using var pipeline = new SyslogPipeline(options =>
        {
            options.Endpoint = new Uri($"tcp://127.0.0.1:{closed}");
            options.ShutdownTimeout = TimeSpan.Zero;
        });
        pipeline.Log(1);
        Eventually.True(() => pipeline.Status.Measurements.Any(static measurement => measurement is { Name: "asynclog.connection.opened", Value: > 0 }
            && measurement.Tags.SequenceEqual([new("network.transport", "tcp"), new("error.type", "refused")])));
        Assert.Equal(0, pipeline.Connects);
    }
}
