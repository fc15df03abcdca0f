using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Records;

public sealed partial class AllocationTests
{
    private const int Records = 2_000;
    private const int Rounds = 20;

    [Fact]
    public async Task A_record_allocates_nothing_on_the_caller()
    {
        Assert.SkipUnless(OptimizedCode.Is, "only optimized code allocates nothing");
        using var harness = new OtlpHarness(static options => options.ScheduledDelay = TimeSpan.FromSeconds(1));
        var logger = harness.Logger("Shop.Cart");
        var id = Guid.NewGuid();
        using var scope = logger.BeginScope(new List<KeyValuePair<string, object?>> { new("RequestPath", "/cart"), new("ConnectionId", "0HN") });
        List<long> allocated = [];

        // Buffers grow, and the queue makes a segment whenever the worker is late: one round without either shows what a record takes.
        while (allocated.Count < Rounds && !allocated.Contains(0))
        {
            var before = GC.GetAllocatedBytesForCurrentThread();
            for (var i = 0; i < Records; i++)
                ItemAdded(logger, i, "Größe \U0001F600", 0.5, id);
            allocated.Add(GC.GetAllocatedBytesForCurrentThread() - before);
            Assert.Equal(Records, (await harness.TakeAsync()).Length);
        }

        Assert.Contains(0, allocated);
    }

    [LoggerMessage(42, LogLevel.Information, "Item {ItemId} {Name} added for {Price} by {User}")]
    private static partial void ItemAdded(ILogger logger, int itemId, string name, double price, Guid user);
}
