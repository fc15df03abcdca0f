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
        foreach (var record in records)
        {
            var plan = _plan;
            if (IsEnabled(plan, record.LogLevel))
                LogBuffered(plan, record);
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

    private void LogBuffered(CategoryPlan plan, BufferedLogRecord buffered)
    {
        var pass = new RecordPass(plan.For(buffered.LogLevel), buffered.LogLevel, _number);
        if (!TryEnter(ref pass, out var context, out var logEvent, out var record))
            return;
        try
        {
            BufferedEvents.Read(buffered, Category, plan.MessageLimit, logEvent);
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
