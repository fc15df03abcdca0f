using AsyncLog.Tests.Reload;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Capture;

/// <summary>Sequences that are computed when they are enumerated.</summary>
public sealed class LazySequenceTests
{
    [Fact]
    public async Task A_lazy_sequence_is_enumerated_once_for_all_layouts()
    {
        using var pipeline = new ReloadPipeline(
            ("Template", null), ("Files:a:Destination", "a1"), ("Files:a:Format", "Json"), ("Files:b:Destination", "b1"), ("Files:b:Format", "Clef"),
            ("Files:c:Destination", "c1"), ("Files:c:Format", "Json"), ("Files:c:UseUtcTimestamp", "true"));
        var runs = 0;

        pipeline.Logger.LogInformation("taken {Items}", Query());

        Assert.True(await pipeline.Flush());
        Assert.Equal(1, runs);
        foreach (var sink in pipeline.Sinks)
            Assert.Contains("taken 1, 2, 3", sink.Text, StringComparison.Ordinal);
        foreach (var sink in pipeline.Sinks.Where(static sink => sink.Destination is "a1" or "b1" or "c1"))
            Assert.Contains("\"Items\":[1,2,3]", sink.Text, StringComparison.Ordinal);

        IEnumerable<int> Query()
        {
            runs++;
            yield return 1;
            yield return 2;
            yield return 3;
        }
    }

    [Fact]
    public async Task A_sequence_that_can_be_read_once_is_the_same_in_the_message_and_in_the_state()
    {
        using var pipeline = new ReloadPipeline(("Template", null), ("Format", "Json"));
        var queue = new Queue<int>([1, 2, 3]);

        pipeline.Logger.LogInformation("taken {Items}", Once());

        Assert.True(await pipeline.Flush());
        Assert.Contains("\"Message\":\"taken 1, 2, 3\",\"State\":{\"Items\":[1,2,3]", pipeline.Sinks.Single().Text, StringComparison.Ordinal);

        IEnumerable<int> Once()
        {
            while (queue.TryDequeue(out var item))
                yield return item;
        }
    }

    [Fact]
    public async Task Each_call_enumerates_a_lazy_sequence_anew()
    {
        using var pipeline = new ReloadPipeline();
        var next = 0;
        var query = Enumerable.Range(0, 1).Select(_ => ++next);

        pipeline.Logger.LogInformation("{Items}", query);
        pipeline.Logger.LogInformation("{Items}", query);

        Assert.True(await pipeline.Flush());
        Assert.Equal(["1", "2"], pipeline.Sinks.Single().Lines);
    }

    [Fact]
    public async Task An_endless_sequence_is_read_as_far_as_a_record_needs_it()
    {
        using var pipeline = new ReloadPipeline(("MaxRecordSize", "4KB"));
        pipeline.Logger.LogInformation("{Items}", Endless());
        Assert.True(await pipeline.Flush());
        Assert.StartsWith("0, 1, 2, 3", pipeline.Sinks.Single().Text, StringComparison.Ordinal);

        static IEnumerable<int> Endless()
        {
            for (var i = 0; ; i++)
                yield return i;
        }
    }

    [Fact]
    public async Task A_sequence_whose_end_throws_loses_no_record()
    {
        using var pipeline = new ReloadPipeline(("MaxRecordSize", "4KB"));
        pipeline.Logger.LogInformation("{Items}", Endless());
        pipeline.Logger.LogInformation("next");
        Assert.True(await pipeline.Flush());
        Assert.Equal(2, pipeline.Status.Written);

        static IEnumerable<int> Endless()
        {
            try
            {
                for (var i = 0; ; i++)
                    yield return i;
            }
            finally
            {
                Fail();
            }
        }

        static void Fail() => throw new InvalidOperationException("on purpose");
    }
}
