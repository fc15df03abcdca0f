using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;
using AsyncLog.Tests.Support;

namespace AsyncLog.Tests;

/// <summary>samples/NativeTool, published as an application would be: whatever the trimmer warns of stops the publishing. Of the native compiler see <see cref="PlatformProbeTests"/>.</summary>
[Trait("Category", "slow")]
public sealed class NativeToolTests
{
    [Theory]
    [InlineData("true")]
    [InlineData("false")]
    public async Task Trimmed_with_and_without_dynamic_code_it_logs_to_standard_output_a_file_syslog_and_a_collector(string dynamicCode)
    {
        using var folder = new TempFolder();
        await PublishedAndRun(folder, "-p:DynamicCodeSupport=" + dynamicCode);
    }

    private static async Task PublishedAndRun(TempFolder folder, params string[] options)
    {
        await PublishedProgram.Publish(folder, "samples/NativeTool", options);
        using var syslog = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        syslog.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        await using var collector = await OtlpReceiver.StartAsync();
        using var tool = new ChildProgram(
            folder.File("app", "NativeTool"),
            [],
            folder.Path,
            ("Logging__AsyncFile__Path", folder.File("tool.log")),
            ("Logging__AsyncSyslog__Endpoint", string.Create(CultureInfo.InvariantCulture, $"udp://127.0.0.1:{((IPEndPoint)syslog.LocalEndPoint!).Port}")),
            ("OTEL_EXPORTER_OTLP_ENDPOINT", collector.Endpoint));
        Assert.True(await tool.Ended() == 0, tool.Printed);

        string[] messages =
        [
            "Started with 0 arguments, 00:00:00.0015000 each",
            "Nothing to do, a, b",
            """Copied {"Files":3,"Outcome":"Partial","Time":"00:00:01.5000000","Sizes":{"a.txt":12},"Skipped":["b.txt"]}""",
            "It failed",
        ];
        var lines = string.Join('\n', folder.Lines("tool.log"));
        var datagrams = Received(syslog);
        var output = string.Join('\n', tool.Output);
        Assert.All(messages, message => Assert.Contains("Tool: " + message, output, StringComparison.Ordinal));
        Assert.All(messages, message => Assert.Contains("Tool: " + message, lines, StringComparison.Ordinal));
        Assert.All(messages, message => Assert.Contains(message, datagrams, StringComparison.Ordinal));
        Assert.All(messages, message => Assert.Contains(collector.Requests, request => request.Contains(message, StringComparison.Ordinal)));
        Assert.Contains(collector.Requests, static request => request.Contains("System.InvalidOperationException: an example", StringComparison.Ordinal));
    }

    // The program has ended: what it sent lies in the socket.
    private static string Received(Socket socket)
    {
        var text = new StringBuilder();
        var datagram = new byte[64 << 10];
        while (socket.Available > 0)
            text.AppendLine(Encoding.UTF8.GetString(datagram, 0, socket.Receive(datagram)));
        return text.ToString();
    }
}
