using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Sinks;

public sealed class LogBatchSinceTests
{
    [Fact]
    public void The_first_record_since_an_instant_is_found_among_those_left()
    {
        DateTimeOffset noon = new(2026, 11, 20, 12, 0, 0, TimeSpan.Zero);
        LogBatch batch = LogBatch.Create(RecordAt(noon.AddSeconds(2)), RecordAt(noon), RecordAt(noon.AddSeconds(1)));

        Assert.Equal(0, batch.IndexOfFirstSince(noon.AddSeconds(1).ToOffset(TimeSpan.FromHours(2))));
        batch.Advance(2);
        Assert.Equal(1, batch.IndexOfFirstSince(noon.AddSeconds(1)));
        Assert.Equal(-1, batch.IndexOfFirstSince(noon.AddSeconds(1).AddTicks(1)));
    }

    private static BatchRecord RecordAt(DateTimeOffset time) => new("x\n"u8.ToArray(), LogLevel.Information, time, "Test");
}
