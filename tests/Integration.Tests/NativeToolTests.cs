using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;
using AsyncLog.Tests.Support;

namespace AsyncLog.Tests;

/// <summary>samples/NativeTool, published as an application would be: whatever the trimmer or the native compiler warns of stops the publishing.</summary>
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

    [Fact]
    public async Task As_a_native_program_it_logs_to_standard_output_a_file_syslog_and_a_collector()
    {
        var compiler = Array.Find(["clang", "gcc"], IsInstalled);
        Assert.SkipUnless(compiler is not null, "neither clang nor gcc is installed: nothing can link a native program");
        using var folder = new TempFolder();
        await PublishedAndRun(folder, "-p:Native=true", "-p:CppCompilerAndLinker=" + compiler);
    }

    private static async Task PublishedAndRun(TempFolder folder, params string[] options)
    {
        await Publish(folder, options);
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

    // In folders of its own, so that nothing that was built for these tests changes below them.
    private static async Task Publish(TempFolder folder, string[] options)
    {
        string[] arguments =
        [
            "publish", Path.Combine(Repository.Root, "samples", "NativeTool"), "-c", "Release", "-r", "linux-x64", "--self-contained", "-o", folder.File("app"),
            "--artifacts-path", folder.File("build"), "-p:RunAnalyzers=false", "-p:TreatWarningsAsErrors=true", .. options,
        ];
        using var publish = new ChildProgram("dotnet", arguments, folder.Path);
        var code = await publish.Ended();
        Assert.SkipWhen(publish.Printed.Contains("error NU110", StringComparison.Ordinal), "a package to publish with cannot be had: " + publish.Printed);
        Assert.True(code == 0, publish.Printed);
        Assert.DoesNotContain("warning IL", publish.Printed, StringComparison.Ordinal);
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

    private static bool IsInstalled(string program) => Environment.GetEnvironmentVariable("PATH")!.Split(':').Any(folder => File.Exists(Path.Combine(folder, program)));
}
