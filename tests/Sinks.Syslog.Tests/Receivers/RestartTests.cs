using System.Diagnostics;
using System.Net;
using AsyncLog.Tests.Transport.Stream;

namespace AsyncLog.Tests.Receivers;

/// <summary>Receivers that are restarted under load: what is missing was counted, what comes twice was sent again.</summary>
[Trait("Category", "system")]
[Collection(nameof(Alone))]
public sealed class RestartTests
{
    private const int LogsAtOnce = 20;

    private static readonly TimeSpan Period = TimeSpan.FromSeconds(Trial.IsLong ? 5 : 2);

    [Fact]
    public void No_more_is_missing_after_restarts_than_is_counted_and_none_comes_twice_outside_the_resend_window()
    {
        int generation = 0;
        var receivers = new List<StreamReceiver> { new() };
        int port = receivers[0].Port;
        using var pipeline = Trial.Pipeline(new Uri($"tcp://127.0.0.1:{port}"));
        long began = Stopwatch.GetTimestamp();
        long restartedAt = began;
        int logged = 0;
        (int Handles, int Threads) settled = default;
        while (Stopwatch.GetElapsedTime(began) < Trial.Length)
        {
            pipeline.Log(LogsAtOnce, logged, length: 60);
            logged += LogsAtOnce;
            TestContext.Current.CancellationToken.WaitHandle.WaitOne(2);
            // The last receiver is there for a while, so that the last records are its.
            if (Stopwatch.GetElapsedTime(restartedAt) < Period || Stopwatch.GetElapsedTime(began) > Trial.Length - (Period / 2))
                continue;
            restartedAt = Stopwatch.GetTimestamp();
            // Every other one dies, the others close.
            receivers[^1].StopListening();
            foreach (var connection in receivers[^1].Connections)
                connection.End(++generation % 2 == 0 ? ReceiverEnd.Close : ReceiverEnd.Reset);
            receivers.Add(new StreamReceiver(endPoint: new IPEndPoint(IPAddress.Loopback, port)));
            if (receivers.Count == 3)
                settled = Resources();
        }

        Assert.True(pipeline.Flush());
        Eventually.True(() => receivers[^1].Frames.Exists(frame => Trial.NumberOf(frame) == logged - 1));
        Trial.AssertCounters(pipeline, logged, [.. receivers.SelectMany(static receiver => receiver.Connections).Where(static connection => connection.Bytes.Length > 0)]);
        Assert.True(receivers.Count > 4, "there were too few restarts");
        var end = Resources();
        Assert.InRange(end.Handles, 0, settled.Handles + 10);
        Assert.InRange(end.Threads, 0, settled.Threads + 10);
        receivers.ForEach(static receiver => receiver.Dispose());
    }

    [Theory]
    [InlineData("rsyslog", "tcp")]
    [InlineData("syslog-ng", "tcp")]
    [InlineData("syslog-ng", "tls")]
    public async Task Restarts_of_a_real_receiver_lose_no_more_than_is_reported(string kind, string transport)
    {
        using RealReceiver receiver = RealReceiver.Start(kind);
        using var pipeline = Trial.Pipeline(new Uri($"{transport}://localhost:{receiver.Port(transport)}"), Path.Combine(receiver.Certificates, "ca.pem"));
        int logged = 0;
        using var stop = new CancellationTokenSource();
        var load = new Thread(() =>
        {
            while (!stop.IsCancellationRequested)
            {
                pipeline.Log(LogsAtOnce, logged, length: 60);
                Volatile.Write(ref logged, logged + LogsAtOnce);
                stop.Token.WaitHandle.WaitOne(5);
            }
        });
        load.Start();
        int restarts = ReleaseRun.Count(3, 100);
        for (int i = 0; i < restarts; i++)
        {
            int before = Volatile.Read(ref logged);
            Eventually.True(() => Volatile.Read(ref logged) > before + 2000);
            receiver.Restart();
        }

        stop.Cancel();
        load.Join();
        Assert.True(pipeline.Flush(60));
        await Eventually.Holds(
            () => receiver.LastLine().Contains($"r{logged - 1}.", StringComparison.Ordinal), () => $"{logged} logged, {pipeline.Status}, last line: {receiver.LastLine()}");
        SinkStatus status = pipeline.AssertConservation(logged);
        var arrived = receiver.Records().Select(static record => Trial.NumberOf(record.GetProperty("msg").GetString()!)).ToHashSet();
        int missing = Enumerable.Range(0, logged).Count(number => !arrived.Contains(number));
        Assert.True(missing <= status.Dropped + status.Uncertain, $"{missing} of {logged} missing, {status.Dropped} dropped, {status.Uncertain} uncertain");
    }

    private static (int Handles, int Threads) Resources()
    {
        using var process = Process.GetCurrentProcess();
        return (process.HandleCount, process.Threads.Count);
    }
}
