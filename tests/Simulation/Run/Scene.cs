using AsyncLog.Tests.Checks;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Run;

/// <summary>The destination of a run and its troubles. One for the life of the run; processes come and go before it.</summary>
internal abstract class Scene(SimulationRun run)
{
    protected SimulationRun Run => run;

    protected Choices Choices => run.Choices;

    /// <summary>Classes of errors that the scene causes.</summary>
    public abstract IReadOnlySet<string> ErrorTypes { get; }

    public abstract Backoff Backoff { get; }

    public abstract TimeSpan BatchDelay { get; }

    /// <summary>True if what a flush promised survives a power loss.</summary>
    public abstract bool IsDurable { get; }

    /// <summary>The sink of a process that begins.</summary>
    public abstract ILogSink Start(SimulatedProcess process, SinkContext context);

    /// <summary>A sink that takes the place of the one in use.</summary>
    public abstract ILogSink Replace(SimulatedProcess process, SinkContext context);

    /// <summary>Sets the options of an instance that begins.</summary>
    public virtual void Configure(SinkOptions options)
    {
    }

    /// <summary>Opens the spool of an instance that begins; null: it has none.</summary>
    public virtual Spool? OpenSpool(SinkInstance instance) => null;

    /// <summary>Opens the crash buffer of an instance that begins; null: it has none.</summary>
    public virtual CrashRegions? OpenCrashBuffer(SinkInstance instance) => null;

    /// <summary>The crash buffer was read.</summary>
    /// <param name="process">The process, which has accepted nothing yet: its counters count only what it found.</param>
    public virtual void Recovered(SimulatedProcess process)
    {
    }

    /// <summary>True if the next process finds records that the process had found and not delivered.</summary>
    public virtual bool HoldsUndelivered => false;

    /// <summary>Time within which everything is delivered once trouble has ended: delays between attempts, a parked worker, the file sink's pauses.</summary>
    public virtual TimeSpan Settling => TimeSpan.FromSeconds(30);

    /// <summary>Records by level that the process found on the disk; null: they are being counted.</summary>
    public virtual long[]? FoundOnDisk() => new long[DropCounts.Levels];

    /// <summary>Records that the process found on the disk and that can be read.</summary>
    public virtual IEnumerable<int> FoundRecords => [];

    /// <summary>True if a record is on the disk, also one that was under way at the deadline.</summary>
    public virtual bool IsSavedToo(int id) => false;

    /// <summary>Copies of a record that arrived since the process began.</summary>
    public virtual int CopiesInThisLife(Arrivals arrivals, int id) => arrivals.CopiesOf(id);

    /// <summary>How often a record of the process counts: a loss of power may have brought back two files with it.</summary>
    public virtual int TimesFound(int id) => 1;

    /// <summary>What is wrong with the counters, compared with the disk; null: nothing.</summary>
    public virtual string? CompareDisk(SimulatedProcess process, SinkStatus status) => null;

    /// <summary>What is wrong on the disk at the end of a process; null: nothing.</summary>
    public virtual string? CheckDisk(SimulatedProcess process, Arrivals arrivals, bool lostPower) => null;

    /// <summary>Other trouble, or none.</summary>
    public abstract void ChangeTrouble();

    /// <summary>Everything works from now on.</summary>
    public abstract void EndTrouble();

    /// <summary>Something from outside: another program, a reload, a request, work in the background.</summary>
    public abstract void Disturb();

    /// <summary>Does work that the product gave to the background.</summary>
    public virtual void RunBackground()
    {
    }

    /// <summary>The process is gone.</summary>
    public abstract void ProcessDied();

    /// <summary>The machine goes with it, and comes back.</summary>
    public virtual void LosePower()
    {
    }

    /// <summary>Reads the destination.</summary>
    public abstract Arrivals Read();

    /// <summary>True if a record may be there more than once.</summary>
    public abstract bool MayBeTwice(int id);

    /// <summary>The most records that a destination took but for the line end, before another one took its place and refused them.</summary>
    public virtual long WholeButLeft => 0;

    /// <summary>True if a notice may be there more than once.</summary>
    public abstract bool MayRepeatNotices { get; }

    /// <summary>True if a record may be there though the sink was never told.</summary>
    public virtual bool MayBeThereUntold(int id) => false;

    /// <summary>What is wrong with the counters of the process at its orderly end, compared with this destination; null: nothing.</summary>
    public virtual string? Compare(SimulatedProcess process) => null;

    /// <summary>The level of the next record.</summary>
    public LogLevel NextLevel() => (LogLevel)Choices.Weighted([10, 10, 60, 10, 8, 2]);
}
