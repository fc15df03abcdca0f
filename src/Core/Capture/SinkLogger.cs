using System.Runtime.CompilerServices;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace AsyncLog;

/// <summary>The logger of one category: captures, renders once per layout, and enqueues. Never throws and never waits, unless a queue is set to Wait.</summary>
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

    /// <summary>The routes of the records; replaced as a whole.</summary>
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
        var dispatch = new RecordDispatch(plan.For(logLevel), logLevel, _number);
        if (Enter(ref dispatch) is not { } context)
            return;
        // One generic call only: code that is shared between closed types resolves each generic type at run time.
        try
        {
            var logEvent = context.Event;
            logEvent.Begin(_shared.GetUtcTicks(), logLevel, Category, eventId, exception, _shared.Scopes, plan.MessageLimit);
            logEvent.IsRenderedOnce = dispatch.HasOneLayout;
            StateReader<TState>.Instance.Read(ref state, formatter, logEvent);
            dispatch.WriteAll(logEvent);
        }
        catch (Exception)
        {
            // Not replaced by a placeholder (out of memory): counted at every route that has not counted the record yet.
            dispatch.DropRest(DropReason.RenderFailed);
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

    // Counts a level that a full queue refuses before the event is captured: null then. The caller exits the context that it gets.
    // Not inlined, like the rest that is not generic: the code of Log exists once per type of state.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static CaptureContext? Enter(ref RecordDispatch dispatch)
    {
        var reason = DropReason.Reentrant;
        try
        {
            var context = CaptureContext.Current;
            if (!context.IsGuarded && dispatch.MoveToAdmitted() && context.TryEnter())
                return context;
        }
        catch (Exception)
        {
            // Out of memory at the first event of a thread.
            reason = DropReason.RenderFailed;
        }

        dispatch.DropRest(reason);
        return null;
    }

    // Writes a record in place of one that could not be read and counts the fault, as for a formatter that throws.
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
        var dispatch = new RecordDispatch(plan.For(level), level, _number);
        if (Enter(ref dispatch) is not { } context)
            return;
        try
        {
            var logEvent = context.Event;
            BufferedEvents.Read(buffered, level, _shared.GetUtcTicks(), Category, plan.MessageLimit, logEvent);
            dispatch.WriteAll(logEvent);
        }
        catch (Exception)
        {
            // As above.
            dispatch.DropRest(DropReason.RenderFailed);
        }
        finally
        {
            context.Exit();
        }
    }
}

/// <summary>The state that all loggers of a provider share.</summary>
internal sealed class LoggerShared(TimeProvider timeProvider, CategoryTable categories)
{
    private readonly bool _isSystemTime = ReferenceEquals(timeProvider, TimeProvider.System);
    private IExternalScopeProvider? _scopes;

    public CategoryTable Categories { get; } = categories;

    /// <summary>The time, in ticks of UTC.</summary>
    public long GetUtcTicks()
#pragma warning disable RS0030 // The clock of TimeProvider.System, without its virtual calls.
        => _isSystemTime ? DateTime.UtcNow.Ticks : timeProvider.GetUtcNow().UtcTicks;
#pragma warning restore RS0030

    /// <summary>The factory's scopes; set once, before the first logger is handed out.</summary>
    public IExternalScopeProvider? Scopes
    {
        get => Volatile.Read(ref _scopes);
        set => Volatile.Write(ref _scopes, value);
    }
}
