namespace AsyncLog.Tests.Measuring;

public sealed class CpuClockTests
{
    [Fact]
    public void Work_of_another_thread_is_the_process_s_but_not_this_thread_s()
    {
        var process = CpuClock.OfProcess;
        var thread = CpuClock.OfThread;
        var other = new Thread(static () =>
        {
            var until = CpuClock.OfThread + 50_000_000;
            while (CpuClock.OfThread < until)
                Thread.SpinWait(100);
        });
        other.Start();
        other.Join();
        thread = CpuClock.OfThread - thread;

        Assert.True(CpuClock.OfProcess - process >= 50_000_000 + thread);
    }
}
