using System.Diagnostics;

namespace AsyncLog.Tests.Measuring;

public sealed class LastByteTests
{
    [Fact]
    public void It_is_when_the_file_reached_its_length_and_not_when_it_was_closed()
    {
        var file = Path.GetTempFileName();
        try
        {
            var begin = Stopwatch.GetTimestamp();
            var watch = LastByte.Watch([file]);
            File.WriteAllText(file, "the last line");
            // as a library that waits while it closes
            Assert.True(SpinWait.SpinUntil(() => Stopwatch.GetElapsedTime(begin) > TimeSpan.FromMilliseconds(500), TimeSpan.FromSeconds(30)));
            var closed = Stopwatch.GetTimestamp();
            Assert.InRange(watch.End(closed), begin, closed - 1);
        }
        finally
        {
            File.Delete(file);
        }
    }

    [Fact]
    public void Its_own_processor_time_is_a_part_of_the_process_s()
    {
        var process = CpuClock.OfProcess;
        var watch = LastByte.Watch([]);
        watch.End(Stopwatch.GetTimestamp());
        Assert.InRange(watch.ProcessorTime, 1, CpuClock.OfProcess - process);
    }

    [Fact]
    public void Without_a_file_it_is_the_close()
    {
        var watch = LastByte.Watch([]);
        var closed = Stopwatch.GetTimestamp();
        Assert.Equal(closed, watch.End(closed));
    }
}
