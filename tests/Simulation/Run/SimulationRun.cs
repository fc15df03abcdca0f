using AsyncLog.Tests.Checks;
using AsyncLog.Tests.Disk;

namespace AsyncLog.Tests.Run;

/// <summary>One seed: processes that live and die one after the other before one destination, on one thread and a clock of its own.</summary>
/// <remarks>The worker's loop is on the stack all the time. Whatever else happens (callers, faults, other programs, the end) happens where the worker
/// waits, and inside its operations on the disk or the transport; there the process may also die.</remarks>
internal sealed class SimulationRun
{
    private const int MostOperations = 200_000;

    [ThreadStatic]
    private static SimulationRun? _current;

    private readonly Scene _scene;
    private readonly int[] _numbers;
    private readonly Action<string>? _trace;
    private SimulatedProcess? _process;
    private Phase _phase;
    private long _nextAt;
    private int _actionsLeft;
    private TimeSpan _longestGap;

    // The operation at which the process dies; 0: none.
    private int _diesAt;
    private bool _diesWithPower;
    private int _operations;
    private int _allOperations;
    private bool _isActing;
    private bool _endsHastily;
    private long _finishAt;
    private Dictionary<string, long> _announcedBefore = [];

    public SimulationRun(int seed, Mutant mutant = Mutant.None, Action<string>? trace = null)
    {
        Seed = seed;
        Mutant = mutant;
        Choices = new Choices(seed);
        _trace = trace;
        _numbers = new int[Choices.Between(1, 4)];
        HasNotices = Choices.Chance(0.8);
        Records = new OfferedRecords();
        Clock.Waiting = Wait;
        _scene = Choices.Chance(0.65) ? new FileScene(this) : new TransportScene(this);
    }

    private enum Phase
    {
        Beginning,
        Busy,
        Settling,
        Draining,
        Ending,
    }

    /// <summary>The run of this thread, for assertions of the product that fail.</summary>
    public static SimulationRun? Current => _current;

    public int Seed { get; }

    public Mutant Mutant { get; }

    public Choices Choices { get; }

    public SimulatedClock Clock { get; } = new();

    public OfferedRecords Records { get; }

    /// <summary>True if losses are announced.</summary>
    public bool HasNotices { get; }

    /// <summary>True if what happens now happens inside an operation of the worker, not while it waits.</summary>
    public bool IsInOperation { get; private set; }

    /// <summary>True if what happens now happens inside an operation of the spool, which holds a lock then.</summary>
    public bool IsInSpool { get; private set; }

    /// <summary>True while a process opens what it needs.</summary>
    public bool IsBeginning => _phase == Phase.Beginning;

    /// <summary>True if callers log, and no shutdown has begun.</summary>
    public bool IsBusy => _phase == Phase.Busy;

    public bool IsTraced => _trace is not null;

    /// <summary>When a caller waited for room last, in ticks: the worker got no time meanwhile.</summary>
    public long CallerWaitedAt { get; private set; } = long.MinValue / 2;

    /// <summary>What was found wrong first; null: nothing.</summary>
    public string? Fault { get; private set; }

    /// <summary>The process that lives.</summary>
    public SimulatedProcess Process => _process!;

    public int Kills { get; private set; }

    public int PowerLosses { get; private set; }

    public void Execute()
    {
        _current = this;
        try
        {
            for (var left = Choices.Between(1, 4); left > 0 && Fault is null; left--)
                Live(number: left, isLast: left == 1);
        }
        catch (Exception exception) when (exception is not ProcessDiedException)
        {
            Fail($"an exception left the product: {exception}");
        }
        finally
        {
            _current = null;
        }
    }

    public void Say(string what)
    {
        if (_trace is not null)
            _trace($"{Clock.Ticks / (double)TimeSpan.TicksPerSecond,12:0.000000} {what}");
    }

    /// <summary>Remembers what is wrong; the process ends.</summary>
    public void Fail(string fault)
    {
        if (Fault is null)
            Say($"FAULT: {fault}");
        Fault ??= fault;
    }

    /// <summary>Reads the destination, and checks what can be seen there by itself.</summary>
    public Arrivals ReadArrivals()
    {
        var arrivals = _scene.Read();
        if (arrivals.Fault is { } fault)
            Fail(fault);
        for (var id = 0; id < Records.Count; id++)
        {
            if (arrivals.CopiesOf(id) > 1 && !_scene.MayBeTwice(id))
                Fail($"record {id} is there {arrivals.CopiesOf(id)} times: {arrivals.PlacesOf(id)}");
        }

        return arrivals;
    }

    /// <summary>An operation of the process on its destination begins: it takes time, others act meanwhile, and it may be the last one.</summary>
    /// <returns>True if the process dies in the middle of it.</returns>
    public bool Enter(string what, bool isSpool = false)
    {
        if (Process.IsDead)
            return false;
        if (IsTraced)
            Say($"{(_isActing ? "    " : "  ")}{what}");
        // Work in the background: nothing happens inside something that happens.
        if (_isActing)
            return false;
        if (++_allOperations > MostOperations)
            Fail("the product does not come to rest");
        if (Fault is not null)
        {
            Process.Kill();
            return false;
        }

        if (!isSpool && Process.SpoolAt <= Clock.Ticks && Choices.Chance(0.5))
            StepSpool();
        if (_phase is not (Phase.Settling or Phase.Beginning) && (Clock.Ticks >= _nextAt || Choices.Chance(0.05)))
        {
            (IsInOperation, IsInSpool) = (true, isSpool);
            Act();
            (IsInOperation, IsInSpool) = (false, false);
        }

        if (Process.IsDead || _diesAt == 0 || ++_operations != _diesAt)
            return false;
        if (Choices.Chance(0.3))
            return true;
        Die();
        return false;
    }

    /// <summary>The process dies here, by SIGKILL or with the power of the machine.</summary>
    public void Die()
    {
        Say(_diesWithPower ? "POWER LOSS" : "SIGKILL");
        if (_diesWithPower)
            PowerLosses++;
        else
            Kills++;
        Process.Kill();
    }

    /// <summary>Lets time pass for the worker until an instant, or until something is true; the others act meanwhile.</summary>
    public void Wait(long until, Func<bool> isOver)
    {
        while (!isOver())
        {
            var spoolAt = _isActing ? long.MaxValue : Process.SpoolAt;
            if (_isActing || Process.IsDead || Math.Min(_nextAt, spoolAt) > until)
            {
                Clock.MoveTo(until);
                return;
            }

            Clock.MoveTo(Math.Min(_nextAt, spoolAt));
            if (spoolAt <= Clock.Ticks)
                StepSpool();
            else
                Act();
            if (Fault is not null)
                Process.Kill();
        }
    }

    /// <summary>An operation of the worker does not return for a time, or until something is true; the others act meanwhile.</summary>
    public void Hang(TimeSpan longest, Func<bool> isOver)
    {
        // Work in the background holds up nobody.
        if (_isActing || Process.IsDead)
            return;
        Say("it hangs");
        var began = Clock.Ticks;
        // The sampler of the process looks once a second.
        for (var end = began + longest.Ticks; Clock.Ticks < end && !Process.IsDead && !isOver();)
        {
            Wait(Math.Min(Clock.Ticks + TimeSpan.TicksPerSecond, end), () => Process.IsDead || isOver());
            Process.Sample();
        }

        if (Clock.Ticks - began >= SimulatedProcess.Patience.Ticks && !Process.IsDead && !Process.IsFinal)
            Process.CheckSilence();
        Say("it goes on");
    }

    private void StepSpool()
    {
        Say("the spool");
        Process.StepSpool();
    }

    private void Wait(object? monitor, long until)
    {
        // A caller that waits for room; the worker, beneath it on this stack, cannot make any.
        if (!ReferenceEquals(monitor, _process?.Gate))
        {
            Wait(until, () => Process.IsWoken);
            return;
        }

        Clock.MoveTo(until);
        CallerWaitedAt = Clock.Ticks;
    }

    private void Live(int number, bool isLast)
    {
        _announcedBefore = new(ReadArrivals().Announced, StringComparer.Ordinal);
        _phase = Phase.Beginning;
        _actionsLeft = Choices.Of(10, 40, 120);
        _longestGap = Choices.Of(TimeSpan.FromMilliseconds(2), TimeSpan.FromMilliseconds(50), TimeSpan.FromSeconds(5));
        var ending = isLast ? 0 : Choices.Weighted([2, 3, 3]);
        _diesAt = ending == 0 ? 0 : Choices.Between(1, Choices.Of(10, 60, 200));
        _diesWithPower = ending == 2;
        _operations = 0;
        _endsHastily = !isLast && Choices.Chance(0.3);
        Say($"process {number} begins");
        _process = new SimulatedProcess(this, _scene, number);
        try
        {
            _process.Begin();
            _process.CheckCounters();
            _phase = Phase.Busy;
            _nextAt = Clock.Ticks + 1;
            _process.RunWorkers();
            if (!_process.IsDead)
                _process.End();
        }
        catch (ProcessDiedException)
        {
            // It died before it had a worker.
        }

        Say($"process {number} has ended");
        EndOfLife();
    }

    private void EndOfLife()
    {
        if (Fault is not null)
            return;
        var before = ReadArrivals();
        if (Process.IsDead && _diesWithPower)
            _scene.LosePower();
        var arrivals = ReadArrivals();
        for (var id = 0; id < Records.Count; id++)
        {
            var record = Records[id];
            if (Process.IsDead && _diesWithPower && !_scene.IsDurable)
                record.IsPromised = false;
            if (record.IsPromised && arrivals.CopiesOf(id) == 0)
                Fail($"a flush that ended well promised record {id}, and it is gone; it was there {before.CopiesOf(id)} times");
        }

        if (!Process.IsDead)
            Process.CheckEnd(arrivals);
        if (_scene.CheckDisk(Process, arrivals, Process.IsDead && _diesWithPower) is { } fault)
            Fail(fault);
    }

    // What the others do next.
    private void Act()
    {
        _isActing = true;
        try
        {
            switch (_phase)
            {
                case Phase.Busy when _actionsLeft-- <= 0:
                    if (_endsHastily)
                        BeginToDrain(TimeSpan.FromMilliseconds(Choices.Of(0, 5, 300, 5000)));
                    else
                        BeginToSettle();
                    break;
                case Phase.Busy:
                    ActOnce();
                    break;
                case Phase.Settling:
                    EndSettling();
                    break;
                // The deadline waits for an operation of the spool that is under way.
                case Phase.Draining when Clock.Ticks >= _finishAt && !IsInSpool:
                    Say("the shutdown deadline");
                    _phase = Phase.Ending;
                    Process.Finish();
                    break;
                case Phase.Draining:
                    Log(Choices.Between(1, 3));
                    break;
            }

            Process.ReadFlushes();
        }
        catch (ProcessDiedException)
        {
            // Work in the background of a process that has died.
        }
        catch (Exception exception)
        {
            Fail($"an exception reached a caller: {exception}");
        }
        finally
        {
            _isActing = false;
            _nextAt = NextAt();
        }
    }

    private long NextAt() => _phase switch
    {
        Phase.Settling => _finishAt,
        Phase.Draining => Math.Min(_finishAt, Clock.Ticks + NextGap()),
        Phase.Ending => long.MaxValue,
        _ => Clock.Ticks + NextGap(),
    };

    private long NextGap() => Choices.Chance(0.01)
        ? Choices.Time(TimeSpan.FromMinutes(1), TimeSpan.FromHours(3)).Ticks
        : Choices.Time(TimeSpan.FromMicroseconds(10), _longestGap).Ticks;

    private void ActOnce()
    {
        switch (Choices.Weighted([60, 6, 8, 2, 1, 5, 6, 6, 2, 1, 2]))
        {
            case 0:
                Log(Choices.Of(1, 1, 2, 5, 20));
                break;
            case 1:
                Process.Flush(givesUp: Choices.Chance(0.3));
                break;
            case 2:
                Process.CheckCounters();
                break;
            case 3:
                Process.ReloadRules();
                break;
            case 4:
                Process.ReplaceQueue();
                break;
            case 5:
                _scene.ChangeTrouble();
                break;
            case 6:
                _scene.Disturb();
                break;
            case 7:
                _scene.RunBackground();
                break;
            case 8:
                Process.GiveUpFlush();
                break;
            case 10:
                Process.ReplaceSink();
                break;
            case 9 when _diesAt > 0:
                Die();
                break;
        }
    }

    private void Log(int count)
    {
        for (; count > 0; count--)
        {
            var caller = Choices.Below(_numbers.Length);
            Process.Offer(caller, _numbers[caller]++, _scene.NextLevel(), Choices.Between(OfferedRecords.ShortestRecord, Choices.Of(30, 100, 300)));
        }
    }

    private void BeginToSettle()
    {
        Say("all trouble ends");
        _scene.EndTrouble();
        Log(1);
        Process.Flush(givesUp: false);
        _scene.RunBackground();
        _phase = Phase.Settling;
        _finishAt = Clock.Ticks + _scene.Settling.Ticks;
    }

    private void EndSettling()
    {
        _scene.RunBackground();
        Process.ReadFlushes();
        Process.CheckCounters();
        Process.CheckProgress();
        if (HasNotices)
            Process.CheckNotices(ReadArrivals(), _announcedBefore, _scene.MayRepeatNotices);
        BeginToDrain(TimeSpan.FromSeconds(5));
    }

    private void BeginToDrain(TimeSpan budget)
    {
        Say($"shutdown with {budget.TotalMilliseconds} ms");
        _phase = Phase.Draining;
        _finishAt = Clock.Ticks + budget.Ticks;
        Process.Close();
    }
}
