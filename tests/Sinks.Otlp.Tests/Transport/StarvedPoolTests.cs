using System.Globalization;

namespace AsyncLog.Tests.Transport;

/// <summary>A process whose thread pool has two threads, both blocked: tests/Programs/StarvedExport.</summary>
[Trait("Category", "slow")]
[NotUnderWine("it has no command dotnet")]
public sealed class StarvedPoolTests
{
    private static readonly TimeSpan Longest = TimeSpan.FromMinutes(3);

    [Fact]
    public async Task Over_an_open_plain_connection_records_are_delivered()
    {
        using var collector = new StubCollector();
        var steps = await RunAsync(collector, OtlpProtocol.HttpProtobuf, "warm", "dispose");
        Assert.Equal(("10", "0"), (steps["starved"]["written"], steps["starved"]["timeouts"]));
        Assert.Equal(11, collector.Requests.Sum(static request => request.RecordCount));
        Assert.InRange(Seconds(steps), 0, 2 * 3);
    }

    [Theory]
    [InlineData(OtlpProtocol.HttpProtobuf, "cold")]
    [InlineData(OtlpProtocol.Grpc, "cold")]
    [InlineData(OtlpProtocol.Grpc, "warm")]
    public async Task An_export_that_needs_the_pool_times_out_reports_why_and_loses_nothing(OtlpProtocol protocol, string connection)
    {
        using var collector = new StubCollector(isGrpc: protocol == OtlpProtocol.Grpc) { Answer = protocol == OtlpProtocol.Grpc ? StubAnswer.GrpcOk : StubAnswer.Ok };
        var steps = await RunAsync(collector, protocol, connection, "free");
        var starved = steps["starved"];
        Assert.Equal("0", starved["written"]);
        Assert.Equal("Degraded", starved["state"]);
        Assert.True(starved["error"].Contains("the thread pool had no thread to notice", StringComparison.Ordinal), starved["error"]);
        Assert.Equal(("10", "0"), (steps["freed"]["written"], steps["freed"]["dropped"]));

        // A left attempt that had no connection yet is not sent later. One that was handed to an open connection may be: the answer is lost, not the request.
        int received = collector.Requests.Sum(static request => request.RecordCount);
        if (connection == "cold")
            Assert.Equal(10, received);
        else
            Assert.InRange(received, 1 + 10, int.MaxValue);
    }

    [Theory]
    [InlineData(OtlpProtocol.HttpProtobuf)]
    [InlineData(OtlpProtocol.Grpc)]
    public async Task A_synchronous_dispose_ends_and_counts_the_remaining_records(OtlpProtocol protocol)
    {
        using var collector = new StubCollector(isGrpc: protocol == OtlpProtocol.Grpc) { Answer = protocol == OtlpProtocol.Grpc ? StubAnswer.GrpcOk : StubAnswer.Ok };
        var steps = await RunAsync(collector, protocol, "cold", "dispose");
        Assert.Equal(("0", "10"), (steps["disposed"]["written"], steps["disposed"]["dropped"]));

        // ShutdownTimeout is 2 s.
        Assert.InRange(Seconds(steps), 0, 2 * 3);
    }

    private static double Seconds(Dictionary<string, Dictionary<string, string>> steps) => double.Parse(steps["disposed"]["seconds"], CultureInfo.InvariantCulture);

    private static async Task<Dictionary<string, Dictionary<string, string>>> RunAsync(StubCollector collector, OtlpProtocol protocol, string connection, string end)
    {
        // Hexadecimal; ThreadPool.SetMaxThreads takes no less than there are processors.
        using var program = new ChildProgram(
            "dotnet",
            [Path.Combine(Repository.TestProgram("StarvedExport"), "AsyncLog.StarvedExport.dll"), collector.Address.AbsoluteUri, protocol.ToString(), connection, end],
            AppContext.BaseDirectory,
            ("DOTNET_ThreadPool_ForceMinWorkerThreads", "2"),
            ("DOTNET_ThreadPool_ForceMaxWorkerThreads", "2"));
        Assert.True(await program.Ended(Longest) == 0, program.Printed);
        return program.Output.Where(static line => line.Length > 0).Select(static line => line.Split(' ', 2)).ToDictionary(static line => line[0], static line => Pairs(line[1]));
    }

    // The last value goes to the end of the line.
    private static Dictionary<string, string> Pairs(string text) => text.Split(' ', 6).Select(static pair => pair.Split('=', 2)).ToDictionary(static pair => pair[0], static pair => pair[1]);
}
