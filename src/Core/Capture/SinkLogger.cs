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
        var known = default(KnownCall);
        var reader = StateReader<TState>.Instance;
        if (exception is null && reader.OpenLayout is { } layout && ReferenceEquals(reader.OwnFormatter, formatter)
            && TryWrite(plan.For(logLevel), logLevel, eventId, ref Unsafe.As<TState, byte>(ref state), layout, ref known))
        {
            if (known.Awaited is { } awaited)
                Await(awaited);
            return;
        }

        Write(plan, logLevel, eventId, ref state, exception, formatter, in known);
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

    // Records that need no event: all that is in them was rendered in advance except what differs from call to call, and that is written where it lies.
    // False: from the next route on the records are neither accepted nor counted, and Write has to do that.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool TryWrite(LevelPlan plan, LogLevel level, EventId id, ref byte state, StateLayout layout, ref KnownCall known)
    {
        CallSite? site = null;
        try
        {
            layout = layout.For(ref state);
            if (layout.GetOwner(ref state) is not { } owner)
                return false;
            site = plan.Sites.FindOrNote(owner, id, out known.IsSeen);
            if (site is null)
            {
                known.Layout = layout;
                return false;
            }

            if (!site.IsUsable || !plan.IsPlain(level) || !site.Misses.IsWorthTrying())
                return false;
            var context = CaptureContext.Current;
            if (!context.TryEnterFast())
                return false;
            try
            {
                var isWritten = TryWrite(plan.Routes, site, level, ref state, layout, context, ref known);
                site.Misses.Count(isWritten);
                return isWritten;
            }
            finally
            {
                context.ExitFast();
            }
        }
        catch (Exception)
        {
            // Out of memory, a format that its type refuses, or the clock or scopes of the application. The record is neither accepted nor counted here; Write does that.
            site?.Misses.Count(isSuccess: false);
            return false;
        }
    }

    private bool TryWrite(RecordRoute[] routes, CallSite site, LogLevel level, ref byte state, StateLayout layout, CaptureContext context, ref KnownCall known)
    {
        var ticks = _shared.GetUtcTicks();
        var call = new LogCall(layout, ref state, ticks, _shared.Scopes, context.Calls);
        scoped ReadOnlySpan<byte> record = default;
        CallSiteFormatter? rendered = null;
        for (var i = 0; i < routes.Length; i++)
        {
            var route = routes[i];
            if (site.Formatters[i] is not { } formatter)
                return false;
            if (!ReferenceEquals(formatter, rendered))
                record = formatter.Format(ref call);
            rendered = formatter;
            if (record.IsEmpty || record.Length > route.MaxRecordSize || !route.Write(record, level, ticks, _number, null, ref known.Awaited))
                return false;
            known.Written = i + 1;
            known.Ticks = ticks;
        }

        return true;
    }

    private void Write<TState>(
        CategoryPlan plan, LogLevel level, EventId id, ref TState state, Exception? exception, Func<TState, Exception?, string> formatter, in KnownCall known)
    {
        var routes = plan.For(level);
        var dispatch = new RecordDispatch(routes.Routes, level, _number, known.Written, known.Awaited);
        if (Enter(ref dispatch) is { } context)
        {
            // One generic call only: code that is shared between closed types resolves each generic type at run time.
            try
            {
                var logEvent = context.Event;
                logEvent.Begin(known.Written > 0 ? known.Ticks : _shared.GetUtcTicks(), level, Category, id, exception, _shared.Scopes, plan.MessageLimit);
                logEvent.IsRenderedOnce = dispatch.HasOneLayout;
                var reader = StateReader<TState>.Instance;
                reader.Read(ref state, formatter, logEvent);
                dispatch.WriteAll(logEvent);
                if (known.IsSeen && (reader.IsProven || known.Layout!.IsText))
                    Add(routes, known.Layout!, ref Unsafe.As<TState, byte>(ref state), id, logEvent);
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
    private static void Add(LevelPlan plan, StateLayout layout, ref byte state, EventId id, LogEvent logEvent)
    {
        var message = !layout.IsText ? layout.Template ?? logEvent.ParsedTemplate : logEvent is { IsMessageTemplate: true, HasTemplateArguments: false } ? layout.Template : null;
        if (message is { HasOperators: false } && layout.HasArguments(ref state, message.Names.Length)
            && layout.GetOwner(ref state) is { } owner)
            plan.Sites.Add(plan.CreateSite(owner, id, logEvent, message, layout));
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
        var dispatch = new RecordDispatch(plan.For(level).Routes, level, _number, awaited: awaited);
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

/// <summary>What is known of a call before its event.</summary>
internal struct KnownCall
{
    /// <summary>The routes, from the first one on, that have the record already.</summary>
    public int Written;

    /// <summary>The time of their records.</summary>
    public long Ticks;

    /// <summary>The records that the caller waits for: a route may begin to acknowledge its level at any time.</summary>
    public AwaitedRecord? Awaited;

    /// <summary>True if the call was seen before and has no site.</summary>
    public bool IsSeen;

    /// <summary>The layout of its state, if it has no site.</summary>
    public StateLayout? Layout;
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
