using System.Net.Sockets;

namespace AsyncLog.Tests.Receivers;

public sealed class UnreadDatagramsTests
{
    [Fact]
    public void Every_datagram_is_counted_also_those_that_found_no_room()
    {
        using var receiver = new UnreadDatagrams();
        using var sender = new UdpClient("127.0.0.1", receiver.Port);
        for (var n = 0; n < 3_000; n++)
            sender.Send(new byte[500]);

        receiver.Verify(3_000);
        Assert.Throws<InvalidOperationException>(() => receiver.Verify(3_001));
        Assert.Throws<InvalidOperationException>(() => receiver.Verify(2_999));
    }
}
