using System.Runtime.CompilerServices;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace AsyncLog;

/// <summary>The logger of one category: captures, renders once per layout, and enqueues. Never waits, unless a queue is set to Wait or to acknowledge the level;
/// never throws, unless it is also set to throw when a record is not acknowledged.</summary>
internal sealed class SinkLogger : ILogger, IBufferedLogger
{
    private readonly LoggerShared _shared;
    private readonly int _number;
    private CategoryPlan _plan = CategoryPlan.Empty;

    public SinkLogger(string category, LoggerShared shared)
    {
        Category = new LogCategory(category, shared.Objects);
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
        var reader = StateReader<TState>.Instance;
        if (exception is null && reader.ProvenLayout is { } layout && ReferenceEquals(reader.OwnFormatter, formatter)
            && TryWriteFast(plan.For(logLevel), logLevel, eventId, ref Unsafe.As<TState, byte>(ref state), layout))
            return;
        Write(plan, logLevel, eventId, ref state, exception, formatter);
    }

    public void LogRecords(IEnumerable<BufferedLogRecord> records)
    {
        // One wait for all of them, as for one event with many routes.
        AwaitedRecord? awaited = null;
        try
        {
            foreach (var record in records)
                LogBuffered(record, ref awaited);
        }
        catch (Exception exception)
        {
            // The flush of Microsoft.Extensions.Telemetry has no catch around this call. The rest of the records is lost with the enumerator.
            LogUnreadable(exception, ref awaited);
        }

        if (awaited is not null)
            Await(awaited);
    }

    // A record that needs no event: one route takes it, all that is in it was rendered in advance except time and values, and these are written where they lie.
    // False: the record is neither accepted nor counted, and Write has to do that.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool TryWriteFast(LevelPlan plan, LogLevel level, EventId id, ref byte state, StateLayout layout)
    {
        if (layout.GetOwner(ref state) is not { } owner || plan.Find(owner, id) is not { } site || plan.Only is not { } route)
            return false;
        var record = site.Record;
        if (level < route.Queue.AdmitFrom || level >= route.Queue.AcknowledgeFrom || !layout.HasArguments(ref state, record.Count) || !site.IsWorthTrying())
            return false;
        AwaitedRecord? awaited = null;
        try
        {
            var context = CaptureContext.Current;
            if (!context.TryEnterFast())
                return false;
            try
            {
                if ((record.LacksTrace || record.LacksScopes) && context.FindsLacking(record, _shared.Scopes))
                {
                    site.Count(isWritten: false);
                    return false;
                }

                var ticks = _shared.GetUtcTicks();
                var output = context.Output;
                var isWritten = site.Formatter is { } formatter ? TryFormat(formatter, record, ref state, layout, ticks, output, out var length)
                    : layout.TryWrite(record, ref state, ticks, context.Timestamps, output, out length);
                site.Count(isWritten);
                if (!isWritten || length > route.MaxRecordSize || !route.Write(output.AsSpan(0, length), level, ticks, _number, null, ref awaited))
                    return false;
            }
            finally
            {
                context.ExitFast();
            }
        }
        catch (Exception)
        {
            // Out of memory, or the clock or scopes of the application. The record is neither accepted nor counted here; Write does that.
            site.Count(isWritten: false);
            return false;
        }

        if (awaited is not null)
            Await(awaited);
        return true;
    }

    private static bool TryFormat(CallSiteFormatter formatter, FastRecord record, ref byte state, StateLayout layout, long ticks, byte[] output, out int length)
    {
        var call = new LogCall(layout, ref state, record.Parts, record.Count, ticks);
        length = formatter.Format(ref call, output);
        return length > 0;
    }

    private void Write<TState>(CategoryPlan plan, LogLevel level, EventId id, ref TState state, Exception? exception, Func<TState, Exception?, string> formatter)
    {
        var routes = plan.For(level);
        var dispatch = new RecordDispatch(routes.Routes, level, _number);
        if (Enter(ref dispatch) is { } context)
        {
            // One generic call only: code that is shared between closed types resolves each generic type at run time.
            try
            {
                var logEvent = context.Event;
                logEvent.Begin(_shared.GetUtcTicks(), level, Category, id, exception, _shared.Scopes, plan.MessageLimit);
                logEvent.IsRenderedOnce = dispatch.HasOneLayout;
                var reader = StateReader<TState>.Instance;
                reader.Read(ref state, formatter, logEvent);
                dispatch.WriteAll(logEvent);
                if (exception is null && reader.ProvenLayout is { } layout)
                    Remember(routes, layout, ref Unsafe.As<TState, byte>(ref state), id, logEvent);
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

        if (dispatch.Awaited is { } awaited)
            Await(awaited);
    }

    // Keeps what spares further records of the call their events.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Remember(LevelPlan plan, StateLayout layout, ref byte state, EventId id, LogEvent logEvent)
    {
        var factory = plan.Only?.CallSiteFormatters;
        // The text of a call without arguments may be built for each call.
        if ((logEvent.FastRecord is null && factory is null) || logEvent.ParsedTemplate is not { HasOperators: false } template
            || !layout.HasArguments(ref state, template.Names.Length) || layout.GetOwner(ref state) is not { } owner || !plan.TryNote(owner, id))
            return;
        if (logEvent.FastRecord is { } record)
            plan.Add(owner, id, record);
        else if (factory!.CreateCallSiteFormatter(logEvent) is { } formatter)
            plan.Add(owner, id, new FastRecord(layout.PartsOf(template), new FastLayout([], null, formatter.WritesScopes, HasTrace: false), template.Names.Length), formatter);
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

    // Called after the capture, so that the event is released before the wait. A thread inside a sink or a rendering would wait for itself, and its exception
    // would reach code that did not log.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Await(AwaitedRecord awaited)
    {
        var mayWait = false;
        try
        {
            var context = CaptureContext.Current;
            mayWait = !context.IsGuarded && !context.IsEntered;
        }
        catch (OutOfMemoryException)
        {
            // At the first event of a thread: counted as not acknowledged.
        }

        if (AwaitedRecord.AwaitAll(awaited, mayWait) is { } failure)
            throw failure;
    }

    private void LogBuffered(BufferedLogRecord buffered, ref AwaitedRecord? awaited)
    {
        LogLevel level;
        try
        {
            level = buffered.LogLevel;
        }
        catch (Exception exception)
        {
            LogUnreadable(exception, ref awaited);
            return;
        }

        Write(level, buffered, null, ref awaited);
    }

    // Writes a record in place of one that could not be read and counts the fault, as for a formatter that throws.
    private void LogUnreadable(Exception fault, ref AwaitedRecord? awaited) => Write(LogLevel.Error, null, fault, ref awaited);

    // Without the wait, which is the caller's.
    private void Write(LogLevel level, BufferedLogRecord? buffered, Exception? fault, ref AwaitedRecord? awaited)
    {
        var plan = _plan;
        if (!IsEnabled(plan, level))
            return;
        var dispatch = new RecordDispatch(plan.For(level).Routes, level, _number, awaited);
        if (Enter(ref dispatch) is { } context)
        {
            try
            {
                var logEvent = context.Event;
                var now = _shared.GetUtcTicks();
                if (buffered is not null)
                    BufferedEvents.Read(buffered, level, now, Category, plan.MessageLimit, logEvent);
                else
                    ReadFault(fault!, logEvent, level, now, plan.MessageLimit);
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

        awaited = dispatch.Awaited;
    }

    private void ReadFault(Exception fault, LogEvent logEvent, LogLevel level, long now, int messageLimit)
    {
        logEvent.Begin(now, level, Category, default, null, _shared.Scopes, messageLimit);
        StateReader<Exception>.Instance.Read(ref fault, static (fault, _) => throw fault, logEvent);
    }
}

/// <summary>The state that all loggers of a provider share.</summary>
internal sealed class LoggerShared(TimeProvider timeProvider, CategoryTable categories, ObjectSerializer? objects = null)
{
    private readonly bool _isSystemTime = ReferenceEquals(timeProvider, TimeProvider.System);
    private IExternalScopeProvider? _scopes;

    public CategoryTable Categories { get; } = categories;

    /// <summary>Serializes the objects of all events; null: the default.</summary>
    public ObjectSerializer? Objects { get; } = objects;

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

/// <summary>Reads a buffered record, logged later by Microsoft.Extensions.Telemetry, into an event with the record's time, ids and texts.</summary>
internal static class BufferedEvents
{
    /// <summary>Fills an event. Never throws; an exception of the record is counted in the event and leaves a placeholder.</summary>
    /// <param name="utcTicks">The time, used if the record's own cannot be read.</param>
    /// <param name="messageLimit">The maximum number of bytes of the message.</param>
    public static void Read(BufferedLogRecord record, LogLevel level, long utcTicks, LogCategory category, int messageLimit, LogEvent target)
    {
        target.Begin(utcTicks, level, category, default, null, null, messageLimit);
        // What the record lacks, or throws instead of, is not that of the thread that flushes the buffer.
        target.SetBuffered(null, null, null, null);
        try
        {
            target.Begin(record.Timestamp.UtcTicks, level, category, record.EventId, null, null, messageLimit);
            target.SetBuffered(record.Exception, record.ActivityTraceId, record.ActivitySpanId, record.ManagedThreadId);
            ReadAttributes(record, target);
            target.SetMessage(record.FormattedMessage ?? target.MessageTemplate);
        }
        catch (Exception exception)
        {
            target.CountRenderError(exception);
            target.SetMessage(MessageRenderer.Placeholder(null, exception));
        }
    }

    private static void ReadAttributes(BufferedLogRecord record, LogEvent target)
    {
        string? template = null;
        var attributes = record.Attributes;
        if (attributes is not null && PairReader.ReadList(ref attributes, PairReader.MaxPairs, target.State, target.Owner, ref template) is not null)
            target.RenderErrors++;
        target.TakeExceptionAttributes();
        target.SetTemplate(record.MessageTemplate ?? template);
    }
}
