using Microsoft.Extensions.Logging;

namespace AsyncLog.Simulation;

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

    /// <summary>True if a notice may be there more than once.</summary>
    public abstract bool MayRepeatNotices { get; }

    /// <summary>True if a record may be there though the sink was never told.</summary>
    public virtual bool MayBeThereUntold(int id) => false;

    /// <summary>What is wrong with the books of the process at its orderly end, as far as this destination knows better; null: nothing.</summary>
    public virtual string? Compare(SimulatedProcess process) => null;

    /// <summary>The level of the next record.</summary>
    public LogLevel NextLevel() => (LogLevel)Choices.Weighted([10, 10, 60, 10, 8, 2]);
}
