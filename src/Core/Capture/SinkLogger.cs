using System.Text;
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
        Category = category;
        CategoryUtf8 = Encoding.UTF8.GetBytes(category);
        _shared = shared;
        _number = shared.Categories.Add(category);
    }

    public string Category { get; }

    public byte[] CategoryUtf8 { get; }

    public TimeProvider TimeProvider => _shared.TimeProvider;

    public IExternalScopeProvider? Scopes => _shared.Scopes;

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
        if (IsEnabled(plan, logLevel))
        {
            var source = new StateSource<TState>(logLevel, eventId, state, exception, formatter);
            Write(plan, logLevel, ref source);
        }
    }

    public void LogRecords(IEnumerable<BufferedLogRecord> records)
    {
        foreach (var record in records)
        {
            var plan = _plan;
            if (IsEnabled(plan, record.LogLevel))
            {
                var source = new BufferedSource(record);
                Write(plan, record.LogLevel, ref source);
            }
        }
    }

    private static bool IsEnabled(CategoryPlan plan, LogLevel level)
        => (uint)level < DropCounts.Levels && (plan.EnabledLevels & (1u << (int)level)) != 0;

    private void Write<TSource>(CategoryPlan plan, LogLevel level, ref TSource source)
        where TSource : struct, IEventSource
    {
        var pass = new RecordPass(plan.For(level), level, _number);
        var context = CaptureContext.Current;
        if (LoopGuard.IsSet || !context.TryEnter(out var logEvent, out var record))
        {
            pass.DropRest(DropReason.Reentrant);
            return;
        }

        try
        {
            // Levels that a full queue refuses are counted here, before anything is captured.
            if (pass.MoveToAdmitted())
            {
                source.Fill(logEvent, this, plan.MessageLimit);
                pass.WriteAll(logEvent, record);
            }
        }
        catch (Exception)
        {
            // What no placeholder could stand for (out of memory): counted, never the caller's business.
            pass.DropRest(DropReason.RenderFailed);
        }
        finally
        {
            context.Exit();
        }
    }
}
