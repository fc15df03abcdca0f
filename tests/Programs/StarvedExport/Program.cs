using System.Diagnostics;
using AsyncLog;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

// Exports to a collector while every thread of the pool is blocked. Arguments: endpoint, HttpProtobuf|Grpc, warm|cold, free|dispose.
// Awaits nothing: it would go on on a thread of the pool, which has to be blocked.
// warm: a connection is open before. free: the pool is freed again, dispose: it is not. Prints one line of name=value pairs per step.
const int Records = 10;
var services = new ServiceCollection().AddLogging(logging => logging.AddAsyncOtlp(options =>
{
    options.Endpoint = new Uri(args[0]);
    options.Protocol = Enum.Parse<OtlpProtocol>(args[1]);
    // The short one is what an export that needs the pool runs into; where records are to arrive, the collector shares a busy machine.
    options.Timeout = TimeSpan.FromSeconds(args is [_, _, "warm", "dispose"] ? 30 : 1);
    options.ShutdownTimeout = TimeSpan.FromSeconds(2);
})).Configure<AsyncLogOptions>(static options => options.StartupReport = false).BuildServiceProvider();
var logger = services.GetRequiredService<ILoggerFactory>().CreateLogger("Starved");
var control = services.GetRequiredService<IAsyncLogControl>();
if (args[2] == "warm")
{
    logger.LogInformation("warm");
    if (!control.FlushAsync(TimeSpan.FromSeconds(60)).GetAwaiter().GetResult())
        throw new InvalidOperationException("the collector took nothing");
}

ThreadPool.GetMaxThreads(out var threads, out _);
using var free = new ManualResetEventSlim();
using var blocked = new CountdownEvent(threads);
using var ended = new CountdownEvent(threads * 4);
for (var i = 0; i < ended.InitialCount; i++)
{
    ThreadPool.UnsafeQueueUserWorkItem(
        _ =>
        {
            if (!blocked.IsSet)
                blocked.Signal();
            free.Wait();
            ended.Signal();
        },
        null);
}

blocked.Wait();
var before = Status().Written;
for (var i = 0; i < Records; i++)
    logger.LogError("while the pool is blocked");
// The error is counted first, then the state changes.
WaitUntil(() => Status() is var status && (status.Written >= before + Records || (status.Errors.ContainsKey("timeout") && status.State != SinkState.Healthy)));
Print("starved", 0);
if (args[3] == "free")
{
    free.Set();
    WaitUntil(() => Status().Written >= before + Records);
    Print("freed", 0);
}

var began = Stopwatch.GetTimestamp();
services.Dispose();
Print("disposed", Stopwatch.GetElapsedTime(began).TotalSeconds);
free.Set();
ended.Wait();

SinkStatus Status() => control.GetStatus().Instances[0];

void Print(string step, double seconds)
{
    var status = Status();
    Console.WriteLine(FormattableString.Invariant(
        $"{step} written={status.Written - before} dropped={status.Dropped} timeouts={status.Errors.GetValueOrDefault("timeout")} state={status.State} seconds={seconds:F1} error={status.LastErrorMessage}"));
}

static void WaitUntil(Func<bool> condition)
{
    var start = Stopwatch.GetTimestamp();
    using var never = new ManualResetEvent(false);
    while (!condition() && Stopwatch.GetElapsedTime(start) < TimeSpan.FromSeconds(60))
        never.WaitOne(10);
}
