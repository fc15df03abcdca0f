using System.Diagnostics;

namespace AsyncLog.Tests;

/// <summary>What the process holds, looked at once a second.</summary>
internal sealed class Footprint : IDisposable
{
    private const int Quarters = 4;
    private static readonly TimeSpan Interval = TimeSpan.FromSeconds(1);
    private readonly ManualResetEventSlim _stop = new();
    private readonly List<(long Memory, int Handles)> _looks = [];
    private readonly Thread _thread;

    public Footprint()
    {
        _thread = new Thread(Watch) { IsBackground = true, Name = "footprint" };
        _thread.Start();
    }

    public int Looks => _looks.Count;

    /// <summary>The median of the resident memory in one quarter of the run.</summary>
    /// <returns>Bytes.</returns>
    public long MemoryIn(int quarter)
    {
        var looks = Quarter(quarter).Select(static look => look.Memory).Order().ToArray();
        return looks[looks.Length / 2];
    }

    /// <summary>The fewest open handles in one quarter of the run: files that are just being compressed or deleted do not count, and a leak raises it too.</summary>
    public int HandlesIn(int quarter) => Quarter(quarter).Min(static look => look.Handles);

    public void Stop()
    {
        _stop.Set();
        _thread.Join();
    }

    public void Dispose() => _stop.Dispose();

    private IEnumerable<(long Memory, int Handles)> Quarter(int number)
        => _looks.Skip(number * _looks.Count / Quarters).Take(((number + 1) * _looks.Count / Quarters) - (number * _looks.Count / Quarters));

    private void Watch()
    {
        using var self = Process.GetCurrentProcess();
        while (!_stop.Wait(Interval))
        {
            self.Refresh();
            _looks.Add((self.WorkingSet64, self.HandleCount));
        }
    }
}
