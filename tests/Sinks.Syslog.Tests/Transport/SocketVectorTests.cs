using System.Text.Json;

namespace AsyncLog.Tests.Transport;

/// <summary>Every line of vectors/syslog-sockets.jsonl.</summary>
public sealed class SocketVectorTests
{
    public static TheoryData<string> Lines => [.. VectorFile.Lines("syslog-sockets.jsonl")];

    [Theory]
    [MemberData(nameof(Lines))]
    public void Sockets(string line)
    {
        JsonElement vector = VectorFile.Parse(line, "id", "req", "what", "setup", "expect");
        JsonElement setup = vector.GetProperty("setup");
        VectorFile.RequireKnown(
            setup, "transport", "receiver", "host", "resolver", "fakeSocket", "records", "messageBytes", "queue", "spreadMs", "options", "certificate", "caFile", "pins",
            "clientCertificate", "serverTls", "server");
        var expect = new Expectations(vector.GetProperty("expect"));
        if (setup.Find("fakeSocket") is not null)
            FakeSocketVector.Run(setup, expect);
        else if (setup.TextOf("transport", null) == "tls")
            TlsVector.Run(setup, expect);
        else if (setup.TextOf("transport", null) is "unixDgram" or "unixStream")
            LocalVector.Run(setup, expect);
        else
            UdpVector.Run(setup, expect);
        expect.AssertAllChecked();
    }
}
