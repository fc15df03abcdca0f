using System.Globalization;
using System.IO.Pipelines;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Bench;

/// <summary>Takes requests with log records, answers after a while, and counts. Runs until it is killed.</summary>
internal sealed class OtlpReceiver(int delay)
{
    public const string Command = "otlp-receiver";
    public const string LogsPath = "/v1/logs";
    public const string SeenPath = "/seen";
    public const string AddressFile = "receiver";

    private static readonly byte[] Accepted = [0x0A, 0x00];
    private readonly Lock _gate = new();
    private WrittenLines _seen;

    public static int Run(BenchArguments arguments)
    {
        var receiver = new OtlpReceiver(arguments.Number("delay", 0));
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.UseUrls("http://127.0.0.1:0").ConfigureKestrel(static options => options.Limits.MaxRequestBodySize = null);
        var application = builder.Build();
        application.MapPost(LogsPath, receiver.TakeAsync);
        application.MapGet(SeenPath, receiver.Seen);
        application.Lifetime.ApplicationStarted.Register(() => WebApp.Announce(Path.Combine(arguments.Text("directory", "."), AddressFile), application.Urls.First()));
        application.Run();
        return 0;
    }

    private async Task TakeAsync(HttpContext context)
    {
        var reader = context.Request.BodyReader;
        ReadResult body;
        while (!(body = await reader.ReadAsync(context.RequestAborted)).IsCompleted)
            reader.AdvanceTo(body.Buffer.Start, body.Buffer.End);
        var records = OtlpRecords.In(body.Buffer);
        reader.AdvanceTo(body.Buffer.End);
        if (delay > 0)
            await Task.Delay(delay, context.RequestAborted);
        // before the answer: whoever has it may ask at once
        lock (_gate)
            _seen = _seen.Plus(records);
        // As the Collector answers: in one piece.
        context.Response.ContentLength = Accepted.Length;
        context.Response.ContentType = "application/x-protobuf";
        await context.Response.Body.WriteAsync(Accepted, context.RequestAborted);
    }

    private string Seen()
    {
        lock (_gate)
            return string.Create(CultureInfo.InvariantCulture, $"{_seen.Count} {_seen.Sum}");
    }
}
