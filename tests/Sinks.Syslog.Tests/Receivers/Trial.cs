using System.Globalization;
using AsyncLog.Tests.Transport;
using AsyncLog.Tests.Transport.Stream;

namespace AsyncLog.Tests.Receivers;

/// <summary>What tests with load against receivers in trouble have in common: how long they last, and how their counters are judged.</summary>
internal static class Trial
{
    // What is kept of a connection for the next one.
    private const int ResendBytes = 1 << 20;

    /// <summary>60 s in a release run.</summary>
    public static TimeSpan Length { get; } = TimeSpan.FromSeconds(ReleaseRun.Count(12, 60));

    public static bool IsLong => ReleaseRun.IsOn;

    public static SyslogPipeline Pipeline(Uri endpoint, string? ca = null) => new(options =>
    {
        options.Endpoint = endpoint;
        options.ReconnectDelay = TimeSpan.FromMilliseconds(50);
        options.MaxReconnectDelay = TimeSpan.FromMilliseconds(500);
        options.Tls.CaFile = endpoint.Scheme == "tls" ? ca : null;
    });

    /// <summary>Nothing is torn, nothing comes twice but what was sent again, and what is missing was told.</summary>
    public static void AssertCounters(SyslogPipeline pipeline, int logged, IReadOnlyList<StreamReceiver.Received> connections)
    {
        SinkStatus status = pipeline.AssertConservation(logged);
        Assert.NotEmpty(connections);
        var seen = new HashSet<int>();
        foreach (var connection in connections)
        {
            Assert.NotEqual(-1, connection.Torn);
            int[] numbers = [.. connection.Frames.Select(NumberOf)];
            Assert.Equal(numbers.Order(), numbers);
            // What was sent again comes first; whatever comes behind something new is new.
            int repeated = numbers.TakeWhile(seen.Contains).Count();
            Assert.DoesNotContain(numbers.Skip(repeated), seen.Contains);
            Assert.Equal(numbers.Distinct(), numbers);
            // It is the last of what arrived before, and no more than is kept.
            if (repeated > 0)
                Assert.InRange((long)(seen.Max() - numbers[0] + 1) * Records.Framed(connection.Frames[0]).Length, 1, ResendBytes);
            seen.UnionWith(numbers);
        }

        int missing = logged - seen.Count;
        Assert.True(missing <= status.Dropped + status.Uncertain, $"{missing} of {logged} missing, {status.Dropped} dropped, {status.Uncertain} uncertain");
    }

    /// <summary>The number of a record, which is the end of its message.</summary>
    public static int NumberOf(string text) => int.Parse(text[(text.LastIndexOf(' ') + 1)..].TrimStart('r').TrimEnd('.'), CultureInfo.InvariantCulture);
}
