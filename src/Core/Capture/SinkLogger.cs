using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace AsyncLog;

/// <summary>The logger of one category: captures, renders once per layout, and hands over. Never throws and never waits, unless a queue is set to Wait.</summary>
internal sealed class SinkLogger : ILogger, IBufferedLogger
{
    private readonly LoggerShared _shared;
    private readonly int _number;
    private CategoryPlan _plan = CategoryPlan.Empty;

    public SinkLogger(string category, LoggerShared shared)
    {
        Category = new LogCategory(category);
        _shared = shared;
        _number = shared.Categories.Add(category);
    }

    public LogCategory Category { get; }

    /// <summary>Where the records go; replaced as a whole.</summary>
    public CategoryPlan Plan
    {
        get => Volatile.Read(ref _plan);
        set => Volatile.Write(ref _plan, value);
    }

    public bool IsEnabled(LogLevel logLevel) => IsEnabled(_plan, logLevel);

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull
        => _shared.Scopes?.Push(state);

    public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
    {
        var plan = _plan;
        if (!IsEnabled(plan, logLevel))
            return;
        var pass = new RecordPass(plan.For(logLevel), logLevel, _number);
        if (!TryEnter(ref pass, out var context, out var logEvent, out var record))
            return;
        // One generic step only: code that is shared between closed types looks each of them up again.
        try
        {
            logEvent.Begin(_shared.GetUtcTicks(), logLevel, Category, eventId, exception, _shared.Scopes, plan.MessageLimit);
            logEvent.IsRenderedOnce = pass.HasOneLayout;
            StateReader<TState>.Instance.Read(ref state, formatter, exception, logEvent);
            pass.WriteAll(logEvent, record);
        }
        catch (Exception)
        {
            // What no placeholder could stand for (out of memory): counted at every route that has not counted the record yet.
            pass.DropRest(DropReason.RenderFailed);
        }
        finally
        {
            context.Exit();
        }
    }

    public void LogRecords(IEnumerable<BufferedLogRecord> records)
    {
        try
        {
            foreach (var record in records)
                LogBuffered(record);
        }
        catch (Exception exception)
        {
            // The flush of Microsoft.Extensions.Telemetry has no catch around this call. The rest of the records is lost with the enumerator.
            LogUnreadable(exception);
        }
    }

    private static bool IsEnabled(CategoryPlan plan, LogLevel level)
        => (uint)level < DropCounts.Levels && (plan.EnabledLevels & (1u << (int)level)) != 0;

    // Levels that a full queue refuses are counted here, before anything is captured. True is followed by one Exit.
    // Not inlined, like the rest that is not generic: the code of Log exists once per type of state.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static bool TryEnter(
        ref RecordPass pass,
        [NotNullWhen(true)] out CaptureContext? context,
        [NotNullWhen(true)] out LogEvent? logEvent,
        [NotNullWhen(true)] out RecordBuffer? record)
    {
        context = null;
        logEvent = null;
        record = null;
        var reason = DropReason.Reentrant;
        try
        {
            context = CaptureContext.Current;
            if (!context.IsGuarded && pass.MoveToAdmitted() && context.TryEnter(out logEvent, out record))
                return true;
        }
        catch (Exception)
        {
            // Out of memory at the first event of a thread.
            reason = DropReason.RenderFailed;
        }

        pass.DropRest(reason);
        return false;
    }

    // A record stands for what could not be read, and the fault is counted, as for a formatter that throws.
    private void LogUnreadable(Exception fault)
        => Log(LogLevel.Error, default, fault, null, static (fault, _) => throw fault);

    private void LogBuffered(BufferedLogRecord buffered)
    {
        var plan = _plan;
        LogLevel level;
        try
        {
            level = buffered.LogLevel;
        }
        catch (Exception exception)
        {
            LogUnreadable(exception);
            return;
        }
        if (!IsEnabled(plan, level))
            return;
        var pass = new RecordPass(plan.For(level), level, _number);
        if (!TryEnter(ref pass, out var context, out var logEvent, out var record))
            return;
        try
        {
            BufferedEvents.Read(buffered, level, _shared.GetUtcTicks(), Category, plan.MessageLimit, logEvent);
            pass.WriteAll(logEvent, record);
        }
        catch (Exception)
        {
            // As above.
            pass.DropRest(DropReason.RenderFailed);
        }
        finally
        {
            context.Exit();
        }
    }
}
