using System.Diagnostics;
using System.Text;
using System.Text.Json;
using AsyncLog.Tests.Vectors;
using Microsoft.Extensions.DependencyInjection;

namespace AsyncLog.Tests.Transport;

/// <summary>Plays vectors/otlp-transport.jsonl: every line against the real sink, its counters included; the clock moves only when the sink waits.</summary>
public sealed class TransportVectorTests
{
    public static TheoryData<string> Lines => [.. VectorFile.Lines("otlp-transport.jsonl")];

    [Theory]
    [MemberData(nameof(Lines))]
    public async Task Every_response_leads_to_the_action_of_its_vector(string line)
    {
        var vector = new TransportVector(line);
        using var collector = new StubCollector(vector.IsGrpc);
        using var spans = new SpanCounter(collector.Port);
        var script = new AnswerScript(collector, vector.Answers);
        // The application's own clients log what they do: what the exporter would log through them would be seen.
        using var pipeline = new OtlpPipeline(
            collector, script, vector.Configure, vector.Clock, withStartupLine: false, new OtlpSurroundings { Services = static services => services.AddHttpClient() });
        var caller = new Thread(() => pipeline.Log(vector.Batch)) { IsBackground = true };
        caller.Start();
        // No time passes meanwhile: it would end the batch before a starved caller has logged all of it.
        Eventually.True(() => !caller.IsAlive);
        TimeSpan? ended = null;
        if (vector.DisposeAfter is { } after)
            ended = Dispose(pipeline, after, vector.Deadline);
        else if (!vector.IsEndlessOutage)
            pipeline.Settle();
        var run = new Run(vector, pipeline, collector, spans, ended);
        run.Check();
        await run.CheckControlsAsync();
    }

    // Time passes until the provider is disposed, and then no longer than it may take to end: one that needs more never ends.
    private static TimeSpan Dispose(OtlpPipeline pipeline, TimeSpan after, TimeSpan deadline)
    {
        TimeSpan step = TimeSpan.FromMilliseconds(100);
        DateTimeOffset due = pipeline.Time.GetUtcNow() + after;
        Eventually.True(() => pipeline.Time.GetUtcNow() >= due, () =>
        {
            if (pipeline.Script.IsStuck || !pipeline.IsWriting)
                pipeline.Time.Advance(step);
        });
        DateTimeOffset last = pipeline.Time.GetUtcNow() + deadline;
        long began = Stopwatch.GetTimestamp();
        Task end = Task.Run(pipeline.Dispose);
        Eventually.True(() => end.IsCompleted, () =>
        {
            if (pipeline.Script.IsStuck && pipeline.Time.GetUtcNow() < last)
                pipeline.Time.Advance(step);
        });
        end.GetAwaiter().GetResult();
        return Stopwatch.GetElapsedTime(began);
    }

    /// <summary>One line that was played.</summary>
    private sealed class Run(TransportVector vector, OtlpPipeline pipeline, StubCollector collector, SpanCounter spans, TimeSpan? ended)
    {
        // For a machine that has other things to do.
        private static readonly TimeSpan Slack = TimeSpan.FromSeconds(5);
        private readonly Expectations _expect = new(vector.Expect);
        private readonly SinkStatus _status = pipeline.AssertConservation();
        private readonly long _rejected = pipeline.Dropped(DropReason.Rejected);

        public void Check()
        {
            // A line says of every attempt what is answered.
            Assert.Equal(0, pipeline.Script.Overruns);
            CheckAction();
            _expect.Number("attempts", pipeline.Script.Attempts);
            _expect.Number("exported", _status.Written);
            _expect.Number("rejected", _rejected);
            _expect.Number("dropped", _status.DroppedAfterAcceptance - _rejected);
            CheckReason();
            if (_expect.Has("errorType"))
            {
                Assert.NotEmpty(pipeline.Errors);
                string? wanted = _expect.Take("errorType").GetString();
                Assert.All(pipeline.Errors, error => Assert.Equal(wanted, error));
            }

            foreach (string text in TextsOf("reports"))
                Assert.Contains(pipeline.Told, told => told.Contains(text, StringComparison.Ordinal));
            CheckLimits();
            if (_expect.Has("recordsPerRequest"))
                Assert.Equal(_expect.Take("recordsPerRequest").EnumerateArray().Select(static count => count.GetInt32()), collector.Requests.Select(static request => request.RecordCount));
            if (_expect.Has("request"))
                RequestExpectation.Check(_expect.Take("request"), Assert.Single(collector.Requests), vector.Batch);
            _expect.Number("spansFromExporter", spans.Count);
            _expect.Number("logRecordsFromExporter", _status.Offered - vector.Batch);
            _expect.Flag("endsWithinDeadline", _status.State == SinkState.Stopped && ended <= (vector.Deadline * 3) + Slack);
            _expect.Flag("callerBlocked", _status.CallerWait > TimeSpan.Zero);
            Assert.Equal(vector.Batch, _status.Offered);
            _expect.AcceptedRecords(_status);
            _expect.AssertAllChecked();
        }

        // What the library does not do, the application's own client does: so it would have been seen.
        public async Task CheckControlsAsync()
        {
            if (vector.Expect.Find("spansFromExporter") is null && vector.Expect.Find("logRecordsFromExporter") is null)
                return;
            collector.Answer = StubAnswer.Ok;
            using HttpClient client = pipeline.Services.GetRequiredService<IHttpClientFactory>().CreateClient();
            using HttpResponseMessage answer = await client.GetAsync(collector.Address, TestContext.Current.CancellationToken);
            Eventually.True(() => spans.Count == 1);
            Assert.True(pipeline.Status.Offered > vector.Batch);
        }

        private string[] TextsOf(string name) => !_expect.Has(name) ? []
            : _expect.Take(name) is { ValueKind: JsonValueKind.Array } texts ? [.. texts.EnumerateArray().Select(static text => text.GetString()!)]
            : [_expect.Take(name).GetString()!];

        private void CheckAction()
        {
            int[] counts = [.. collector.Requests.Select(static request => request.RecordCount)];
            string action = _status.DroppedAfterAcceptance - _rejected > 0 ? "drop"
                : pipeline.Delays.Count > 0 ? "retry"
                : counts.Length > 1 && counts[^1] < counts[0] ? "split"
                : "success";
            _expect.Text("action", action);
            if (!_expect.Has("delayMs"))
                return;
            JsonElement bounds = _expect.Take("delayMs");
            double least = bounds[0].GetDouble();
            Assert.InRange(pipeline.Delays[0].TotalMilliseconds, least, bounds[1].GetDouble());
            // What was asked for was waited.
            Assert.True((pipeline.Script.AttemptedAt[1] - pipeline.Script.AttemptedAt[0]).TotalMilliseconds >= least);
        }

        // Every record that was dropped was dropped for the reason of the line.
        private void CheckReason()
        {
            if (!_expect.Has("dropReason"))
                return;
            long count = _status.Dropped;
            Assert.NotEqual(0, count);
            _expect.DropReason(_status, count);
            if (_expect.Has("dropped") && _expect.Has("rejected"))
                Assert.Equal(_expect.Take("dropped").GetInt64() + _expect.Take("rejected").GetInt64(), count);
        }

        private void CheckLimits()
        {
            if (_expect.Has("maxReadBytes"))
            {
                Assert.NotEqual(0, pipeline.Script.LongestRead);
                _expect.AtMost("maxReadBytes", pipeline.Script.LongestRead);
            }

            if (!_expect.Has("maxReportBytes"))
                return;
            string[] texts = [.. vector.Answers.Select(static answer => Encoding.UTF8.GetString(answer.Body)).Where(static text => text.Length > 0)];
            Assert.NotEmpty(texts);
            Assert.NotEmpty(pipeline.Told);
            // As much of an answer's text as stands in a report.
            _expect.AtMost("maxReportBytes", pipeline.Told.Max(told => texts.Max(text => SharedBytes(told, text))));
        }

        private static int SharedBytes(string report, string text)
        {
            int longest = 0;
            text = text[..Math.Min(text.Length, 16 << 10)];
            int[] before = new int[text.Length + 1];
            foreach (char letter in report)
            {
                int[] now = new int[text.Length + 1];
                for (int i = 0; i < text.Length; i++)
                {
                    now[i + 1] = letter == text[i] ? before[i] + 1 : 0;
                    longest = Math.Max(longest, now[i + 1]);
                }

                before = now;
            }

            return longest;
        }
    }
}
