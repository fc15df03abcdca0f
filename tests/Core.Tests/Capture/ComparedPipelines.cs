using System.Collections.Concurrent;
using AsyncLog.Tests.Calls;
using AsyncLog.Tests.Delivery;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Capture;

/// <summary>Pipelines of several layouts, each twice: one whose calls become known, and one that needs an event for each; and a provider with an instance of each layout.</summary>
internal sealed class ComparedPipelines : IDisposable
{
    // The worker would wake up for each record; a flush ends the delay.
    private static readonly TimeSpan Delay = TimeSpan.FromMinutes(1);
    private readonly List<TestPipeline> _known = [];
    private readonly List<TestPipeline> _cold = [];
    private readonly TestPipeline _several;

    public ComparedPipelines(IExternalScopeProvider scopes, params ReadOnlySpan<ComparedLayout> layouts)
    {
        var clock = new CallClock();
        Ways = new TwoWays(clock);
        var instances = new ConcurrentDictionary<string, KeptRecords>(StringComparer.Ordinal);
        var definition = new TestDefinition<TestOptions>("test", (_, context) => instances[context.Name] = new KeptRecords()) { BatchDelay = Delay };
        ComparedLayout[] all = [.. layouts];
        // The first layout twice: what is rendered for one of both may serve the other.
        _several = new TestPipeline(
            null!, all[0].Configure, clock, type: definition,
            services: collection => collection.AddLogging(builder =>
            {
                for (var i = 0; i < all.Length; i++)
                    builder.AddSink<TestLoggerProvider, TestOptions>(definition, "i" + i, all[i].Configure);
            }));
        Ways.AddKnown(_several.Provider, scopes);
        for (var i = 0; i < all.Length; i++)
        {
            var (got, expected) = (new KeptRecords(), new KeptRecords());
            _known.Add(New(got, all[i], clock));
            _cold.Add(New(expected, all[i], clock));
            Ways.AddKnown(_known[i].Provider, scopes);
            Ways.AddCold(_cold[i].Provider, scopes);
            Ways.Expect(all[i].ToString(), expected, (got, ""), (instances["test/i" + i], " beside others"), (i == 0 ? instances["test/default"] : null, " beside itself"));
        }
    }

    public TwoWays Ways { get; }

    /// <summary>Compares the records since the last time.</summary>
    public void AssertEqual(string run, bool inAnyOrder = false)
    {
        foreach (var pipeline in (TestPipeline[])[_several, .. _known, .. _cold])
            Assert.True(pipeline.Control.FlushAsync(TimeSpan.FromSeconds(60), TestContext.Current.CancellationToken).GetAwaiter().GetResult());
        Ways.AssertEqual(run, inAnyOrder);
        for (var i = 0; i < _known.Count; i++)
        {
            Assert.Equal(CountsOf(_cold[i].Status), CountsOf(_known[i].Status));
            Assert.Equal(CountsOf(_cold[i].Status), CountsOf(_several.Control.GetStatus().Find("test/i" + i)!));
        }
    }

    public void Dispose()
    {
        foreach (var pipeline in (TestPipeline[])[_several, .. _known, .. _cold])
            pipeline.Dispose();
    }

    private static TestPipeline New(KeptRecords sink, ComparedLayout layout, CallClock clock)
        => new(sink, layout.Configure, clock, type: new TestDefinition<TestOptions>("test", (_, _) => sink) { BatchDelay = Delay });

    private static (long Offered, long Dropped, long Truncated, long RenderErrors) CountsOf(SinkStatus status) => (status.Offered, status.Dropped, status.Truncated, status.RenderErrors);
}
