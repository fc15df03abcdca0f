using System.Runtime.CompilerServices;
using System.Text;

namespace AsyncLog.Tests.Kernel;

/// <summary>Runs a few threads one step at a time and tries every order of their steps, depth first; a state that was there before is not continued again.</summary>
/// <remarks>Threads are real ones that get a baton. An interleaving is a list of choices; the next one has the same beginning and another last choice. What a thread
/// does is decided by what it has read, so a state is the shared memory and a hash of what each thread has read since it last was at the top of its loop.</remarks>
internal sealed unsafe class Scheduler : IDisposable
{
    private const int Flush = 100;

    [ThreadStatic]
    private static Scheduler? _running;

    [ThreadStatic]
    private static bool _isQuiet;

    private readonly Actor[] _actors;
    private readonly Func<KernelScenario> _create;
    private readonly int _preemptionBound;
    private readonly bool _buffersStores;
    private readonly SemaphoreSlim _ended = new(0);
    private readonly List<Choice> _choices = [];
    private readonly Dictionary<ulong, int> _visited = [];
    private readonly List<int> _options = [];
    private KernelScenario _scenario = null!;
    private int _depth;
    private int _now;
    private int _preemptions;
    private int _lockOwner;
    private bool _isAborting;
    private string? _failure;
    private List<string>? _trace;

    /// <param name="create">Makes the scenario, anew for each interleaving.</param>
    /// <param name="preemptionBound">How often a thread that could go on may be interrupted.</param>
    /// <param name="buffersStores">True to model store buffers: a volatile write may become visible after later reads of its thread.</param>
    public Scheduler(Func<KernelScenario> create, int preemptionBound, bool buffersStores)
    {
        (_create, _preemptionBound, _buffersStores) = (create, preemptionBound, buffersStores);
        _actors = [.. create().Bodies.Select((_, index) => new Actor(index))];
        foreach (var actor in _actors)
        {
            actor.Thread = new Thread(() => Live(actor), 256 << 10) { IsBackground = true };
            actor.Thread.Start();
        }
    }

    /// <summary>The scheduler of this thread; null on a thread that it does not run, and while the state is read.</summary>
    public static Scheduler? Running => _isQuiet ? null : _running;

    public static bool IsQuiet => _isQuiet;

    /// <summary>Interleavings that were run, in whole or up to a state that was there before.</summary>
    public int Interleavings { get; private set; }

    public int States => _visited.Count;

    public bool HoldsLock => _lockOwner == _now;

    /// <summary>Tries every interleaving.</summary>
    /// <returns>The first one that fails, step by step; null: none does.</returns>
    public string? Explore()
    {
        do
        {
            Run();
            Interleavings++;
            if (_failure is not { } failure)
                continue;
            // Once more, with words.
            _trace = [];
            Run();
            return new StringBuilder().AppendJoin('\n', _trace).Append('\n').Append(_failure ?? $"{failure} (not reproduced)").ToString();
        }
        while (NextChoice());

        return null;
    }

    public void Dispose()
    {
        foreach (var actor in _actors)
        {
            actor.IsOver = true;
            actor.Baton.Release();
            actor.Thread.Join();
        }
    }

    /// <summary>Before each access to shared memory: another thread may come first.</summary>
    public void Step(string what)
    {
        Advance();
        PassBaton();
        Trace(what);
    }

    /// <summary>Blocks the thread until a condition of the shared memory holds.</summary>
    public void WaitUntil(string what, Func<bool> condition)
    {
        DrainOwn();
        var me = _actors[_now];
        Trace(what);
        me.Condition = condition;
        Advance();
        PassBaton();
        me.Condition = null;
    }

    public void EnterLock()
    {
        Step("wants the lock");
        var me = _actors[_now];
        if (_lockOwner >= 0)
        {
            me.Condition = () => _lockOwner < 0;
            Advance();
            PassBaton();
            me.Condition = null;
        }

        DrainOwn();
        _lockOwner = _now;
        Trace("has the lock");
    }

    public void ExitLock()
    {
        DrainOwn();
        _lockOwner = -1;
        Trace("releases the lock");
    }

    /// <summary>Notes what the thread has read: it decides what the thread does next.</summary>
    public void Observe<T>(T value)
    {
        var read = value switch
        {
            long number => (ulong)number,
            int number => (ulong)number,
            bool flag => flag ? 1UL : 2UL,
            Segment segment => segment.Memory.SlotCapacity == 0 ? 3UL : ((ulong)segment.Index << 32) + (ulong)segment.Sequence + 5,
            _ => 4UL,
        };
        _actors[_now].History = Mix(_actors[_now].History, read);
    }

    /// <summary>At the top of a thread's loop: what it has read before is of no importance any more.</summary>
    public void Forget(ulong place) => _actors[_now].History = Mix(17, place);

    /// <summary>A store goes to the buffer of its thread, except under the lock, which is released only with all stores visible. The memory must not move.</summary>
    public bool TryBuffer<T>(ref T location, T value)
    {
        if (!_buffersStores || HoldsLock || !(typeof(T) == typeof(long) || typeof(T) == typeof(int)))
            return false;
        var address = (nint)Unsafe.AsPointer(ref location);
        _actors[_now].Stores.Enqueue(value is int number ? new Store(address, number, IsInt: true) : new Store(address, (long)(object)value!, IsInt: false));
        return true;
    }

    /// <summary>A thread reads what it has stored itself.</summary>
    public void Forward<T>(ref T location, ref T value)
    {
        foreach (var store in _actors[_now].Stores)
        {
            if (store.Address == (nint)Unsafe.AsPointer(ref location))
                value = store.IsInt ? (T)(object)(int)store.Value : (T)(object)store.Value;
        }
    }

    /// <summary>Runs a check, whose reads are no steps.</summary>
    public static void Quietly(Action check)
    {
        _isQuiet = true;
        try
        {
            check();
        }
        finally
        {
            _isQuiet = false;
        }
    }

    public void DrainOwn() => Drain(_actors[_now], all: true);

    private static void Drain(Actor actor, bool all)
    {
        while (actor.Stores.TryDequeue(out var store))
        {
            if (store.IsInt)
                *(int*)store.Address = (int)store.Value;
            else
                *(long*)store.Address = store.Value;
            if (!all)
                return;
        }
    }

    // A step that reads nothing is another place in the code, too.
    private void Advance() => _actors[_now].History = Mix(_actors[_now].History, 6);

    private static ulong Mix(ulong hash, ulong value)
    {
        hash = (hash ^ value) * 0x9E3779B97F4A7C15;
        return hash ^ (hash >> 29);
    }

    private void Run()
    {
        _scenario = _create();
        (_depth, _preemptions, _lockOwner, _now, _isAborting, _failure) = (0, 0, -1, -1, false, null);
        foreach (var actor in _actors)
        {
            (actor.History, actor.IsFinished, actor.Condition) = ((ulong)actor.Index, false, null);
            actor.Stores.Clear();
        }

        if (Decide(isEnabled: false) is { } first)
        {
            _now = first;
            _actors[first].Baton.Release();
            _ended.Wait();
        }

        // Threads that are blocked or were left in the middle.
        _isAborting = true;
        foreach (var actor in _actors)
        {
            if (actor.IsFinished)
                continue;
            actor.Baton.Release();
            _ended.Wait();
        }
    }

    private bool NextChoice()
    {
        while (_choices.Count > 0)
        {
            var last = _choices[^1];
            if (++last.Chosen < last.Options.Length)
                return true;
            _choices.RemoveAt(_choices.Count - 1);
        }

        return false;
    }

    private void Live(Actor actor)
    {
        _running = this;
        while (true)
        {
            actor.Baton.Wait();
            if (actor.IsOver)
                return;
            try
            {
                if (!_isAborting)
                    _scenario.Bodies[actor.Index]();
                actor.IsFinished = true;
                if (!_isAborting)
                    Drain(actor, all: true);
                if (!_isAborting && Decide(isEnabled: false) is { } next)
                {
                    _now = next;
                    _actors[next].Baton.Release();
                    continue;
                }
            }
            catch (Abandoned)
            {
                actor.IsFinished = true;
            }
            catch (Exception exception)
            {
                actor.IsFinished = true;
                _failure ??= exception.Message;
            }

            _ended.Release();
        }
    }

    private void PassBaton()
    {
        if (_isAborting)
            throw new Abandoned();
        var me = _now;
        if (Decide(isEnabled: true) is not { } next)
        {
            // Nothing is left to try from here, or nothing can move.
            throw new Abandoned();
        }

        if (next == me)
            return;
        _now = next;
        _actors[next].Baton.Release();
        _actors[me].Baton.Wait();
        if (_isAborting)
            throw new Abandoned();
    }

    // Chooses the thread that goes on; null: the interleaving ends here.
    private int? Decide(bool isEnabled)
    {
        while (true)
        {
            var canGoOn = isEnabled && IsEnabled(_actors[_now]);
            _options.Clear();
            if (canGoOn)
                _options.Add(_now);
            foreach (var actor in _actors)
            {
                if (actor.Index != _now && IsEnabled(actor) && !(canGoOn && _preemptions >= _preemptionBound))
                    _options.Add(actor.Index);
            }

            foreach (var actor in _actors)
            {
                if (actor.Stores.Count > 0)
                    _options.Add(Flush + actor.Index);
            }

            if (_options.Count == 0)
            {
                _isQuiet = true;
                try
                {
                    _scenario.CheckEnd();
                }
                catch (InvalidOperationException exception)
                {
                    _failure = exception.Message;
                }
                finally
                {
                    _isQuiet = false;
                }

                return null;
            }

            var chosen = _options[0];
            if (_options.Count > 1)
            {
                if (_depth == _choices.Count)
                {
                    if (_trace is not null || !IsNew())
                        return null;
                    _choices.Add(new Choice([.. _options]));
                }

                chosen = _choices[_depth].Options[_choices[_depth].Chosen];
                _depth++;
            }

            if (chosen >= Flush)
            {
                Drain(_actors[chosen - Flush], all: false);
                _trace?.Add($"                  a store of {_scenario.Names[chosen - Flush]} becomes visible");
                continue;
            }

            if (canGoOn && chosen != _now)
                _preemptions++;
            return chosen;
        }
    }

    private bool IsEnabled(Actor actor)
    {
        if (actor.IsFinished)
            return false;
        if (actor.Condition is not { } condition)
            return true;
        var before = _isQuiet;
        _isQuiet = true;
        var holds = condition();
        _isQuiet = before;
        return holds;
    }

    private bool IsNew()
    {
        _isQuiet = true;
        var hash = _scenario.Hash(Mix);
        _isQuiet = false;
        foreach (var actor in _actors)
        {
            hash = Mix(hash, actor.History + (actor.IsFinished ? 1UL : 0));
            foreach (var store in actor.Stores)
                hash = Mix(hash, (ulong)store.Value + (ulong)actor.Index);
        }

        hash = Mix(hash, (ulong)((_now * 8) + _lockOwner));
        if (_visited.TryGetValue(hash, out var preemptions) && preemptions <= _preemptions)
            return false;
        _visited[hash] = _preemptions;
        return true;
    }

    private void Trace(string what) => _trace?.Add($"{_scenario.Names[_now],-16}  {what}");

    private readonly record struct Store(nint Address, long Value, bool IsInt);

    private sealed class Abandoned : Exception;

    private sealed class Choice(int[] options)
    {
        public int[] Options { get; } = options;

        public int Chosen { get; set; }
    }

    private sealed class Actor(int index)
    {
        public int Index { get; } = index;

        public Thread Thread { get; set; } = null!;

        public SemaphoreSlim Baton { get; } = new(0);

        public Queue<Store> Stores { get; } = [];

        public Func<bool>? Condition { get; set; }

        public ulong History { get; set; }

        public bool IsFinished { get; set; }

        public bool IsOver { get; set; }
    }
}
