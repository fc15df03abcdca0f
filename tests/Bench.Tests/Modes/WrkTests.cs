namespace AsyncLog.Tests.Modes;

public sealed class WrkTests
{
    private const string Output =
        """
        Running 2s test @ http://127.0.0.1:5000/order
          2 threads and 100 connections
          Thread Stats   Avg      Stdev     Max   +/- Stdev
            Latency     2.81ms    4.10ms  66.86ms   91.38%
            Req/Sec    23.01k     3.11k   31.22k    70.00%
          Latency Distribution
             50%  636.00us
             75%    2.90ms
             90%    6.64ms
             99%    1.05s
          91574 requests in 2.00s, 12.57MB read
        Requests/sec:  45788.12
        Transfer/sec:      6.29MB
        """;

    [Fact]
    public void Throughput_and_percentiles_are_read_in_any_unit()
    {
        var values = Wrk.Parse(Output);

        Assert.Equal((45_788.12, 636_000, 1_050_000_000), (values["requestsPerSecond"], values["p50"], values["p99"]));
        Assert.Equal(6_640_000, Wrk.Parse(Output.Replace("99%    1.05s", "99%    6.64ms", StringComparison.Ordinal))["p99"]);
    }

    [Theory]
    [InlineData("  Non-2xx or 3xx responses: 5")]
    [InlineData("  Socket errors: connect 0, read 3, write 0, timeout 0")]
    public void Requests_that_failed_are_no_result(string line)
        => Assert.Contains(line.Trim(), Assert.Throws<InvalidOperationException>(() => Wrk.Parse(Output + "\n" + line)).Message, StringComparison.Ordinal);

    [Fact]
    public void Requests_without_an_answer_are_a_figure_where_they_may_be()
    {
        var output = Output + "\n  Socket errors: connect 0, read 0, write 0, timeout 198";

        Assert.Equal(198, Wrk.Parse(output, mayTimeOut: true)["timedOut"]);
        Assert.Throws<InvalidOperationException>(() => Wrk.Parse(output));
        Assert.Throws<InvalidOperationException>(() => Wrk.Parse(output.Replace("read 0", "read 1", StringComparison.Ordinal), mayTimeOut: true));
    }

    [Fact]
    public void Other_output_is_no_result() => Assert.Throws<InvalidOperationException>(static () => Wrk.Parse("unable to connect"));
}
