using System.Diagnostics;
using System.Globalization;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Capture;

/// <summary>Does what requests do, at random: begins, ends and changes scopes and activities, and logs.</summary>
/// <param name="log">Logs a call.</param>
internal sealed partial class RandomRequest(CallValues values, IExternalScopeProvider scopes, Action<Action<ILogger>, string> log)
{
    private static readonly Action<ILogger, int, string?, Exception?> Defined = LoggerMessage.Define<int, string?>(LogLevel.Information, new EventId(8, "Eight"), "{A} and {B}");
    private static readonly Action<ILogger, Exception?> Constant = LoggerMessage.Define(LogLevel.Warning, 9, "constant {{text}}");

    private readonly RandomScopes _random = new(values);
    private readonly ScopeLogger _scopes = new(scopes);
    private readonly List<IDisposable?> _begun = [];
    private readonly List<Activity> _started = [];

    /// <summary>How many calls were logged.</summary>
    public int Calls { get; private set; }

    /// <summary>Does one thing, in the execution context of the caller.</summary>
    public void Step()
    {
        switch (values.Below(24))
        {
            case 0 or 1 or 2:
                _begun.Add(_random.Begin(_scopes, scopes));
                break;
            case 3 or 4:
                End();
                break;
            case 5 or 6:
                _random.Change();
                break;
            case 7:
                _started.Add(Start());
                break;
            case 8:
                Stop();
                break;
            case 9:
                ChangeActivity();
                break;
            case 10:
                using (ExecutionContext.SuppressFlow())
                {
                    Log();
                    using (_random.Begin(_scopes, scopes))
                        Log();
                    Log();
                }

                break;
            case 11 when scopes is ForeignScopes.Derived derived:
                derived.Innermost = values.Chance(2) ? null : values.Text();
                break;
            default:
                Log();
                break;
        }
    }

    /// <summary>Does some things and awaits others, which do the same.</summary>
    public async Task RunAsync(int depth = 0)
    {
        for (var i = values.Below(8); i >= 0; i--)
        {
            var deeper = depth < 5 ? values.Below(9) : 9;
            switch (deeper)
            {
                case 0:
                    await Task.Yield();
                    break;
                case 1:
                    await Task.Run(() => RunAsync(depth + 1));
                    break;
                case 2 or 3:
                    using (_random.Begin(_scopes, scopes))
                        await RunAsync(depth + 1);
                    break;
                case 4:
                    var activity = Start();
                    await RunAsync(depth + 1);
                    activity.Stop();
                    break;
                case 5:
                    Task task;
                    using (ExecutionContext.SuppressFlow())
                        task = Task.Run(Log);
                    await task;
                    break;
                case 6:
                    _random.Change();
                    break;
                default:
                    Log();
                    break;
            }
        }
    }

    public void Log()
    {
        var (call, text) = Next();
        Calls++;
        log(call, text);
    }

    // The same places in the code, each time with other values.
    private (Action<ILogger> Call, string Text) Next()
    {
        var (number, text) = (values.Below(100), values.Chance(8) ? null : values.Text());
        switch (values.Below(11))
        {
            case 0:
                return (static logger => logger.LogInformation("Application started"), "a constant text");
            case 1:
                return (logger => logger.LogInformation("Order {Id} of {Name}", number, text), "Order {Id} of {Name}");
            case 2:
                return (logger => Defined(logger, number, text, null), "a defined message");
            case 3:
                return (logger => Seven(logger, number, text, 1.5, true, Guid.Empty, DayOfWeek.Friday, 7), "seven values");
            case 4:
                var built = $"built {number} of {text}";
                return (logger => logger.LogInformation(built), "a built message");
            case 5:
                return (logger => logger.LogWarning(new EventId(7, "Seven"), "{RequestId} took {Elapsed:F2} ms", text, number / 7.0), "{RequestId} took {Elapsed:F2} ms");
            case 6:
                var exception = new IOException("failed");
                return (logger => logger.LogError(exception, "no {Name}", text), "no {Name} with an exception");
            case 7:
                return (static logger => Constant(logger, null), "a defined constant");
            case 8:
                return (logger => logger.LogDebug("{Scope} {SourceContext} {TraceId} {x}", number, text, number, number), "names of the layout");
            case 9:
                return (logger => Named(logger, text), "one text");
            default:
                string?[] texts = [text, "two"];
                return (logger => logger.LogCritical("{B,12} {A} {Items}", text, number, texts), "{B,12} {A} {Items}");
        }
    }

    private void End()
    {
        if (_begun.Count == 0)
            return;
        // Sometimes not the innermost.
        var index = values.Chance(8) ? 0 : _begun.Count - 1;
        _begun[index]?.Dispose();
        _begun.RemoveAt(index);
    }

    private Activity Start()
    {
        var activity = new Activity("work").SetIdFormat(values.Chance(4) ? ActivityIdFormat.Hierarchical : ActivityIdFormat.W3C);
        if (values.Chance(4))
            activity.SetParentId(ActivityTraceId.CreateFromString(values.Below(int.MaxValue).ToString("x32", CultureInfo.InvariantCulture)), ActivitySpanId.CreateFromString(values.Below(int.MaxValue).ToString("x16", CultureInfo.InvariantCulture)), ActivityTraceFlags.Recorded);
        return activity.Start();
    }

    private void Stop()
    {
        switch (values.Below(4))
        {
            case 0:
                Activity.Current = null;
                break;
            case 1 when _started.FirstOrDefault(static activity => !activity.IsStopped) is { } other:
                Activity.Current = other;
                break;
            default:
                if (_started.Count == 0)
                    return;
                _started[^1].Stop();
                _started.RemoveAt(_started.Count - 1);
                break;
        }
    }

    private void ChangeActivity()
    {
        if (Activity.Current is not { } activity)
            return;
        switch (values.Below(5))
        {
            case 0:
                activity.ActivityTraceFlags ^= ActivityTraceFlags.Recorded;
                break;
            case 1:
                activity.SetTag("tag", values.Text());
                break;
            case 2:
                activity.AddBaggage("baggage" + values.Below(3), values.Text());
                break;
            case 3:
                activity.TraceStateString = "a=" + values.Below(9);
                break;
            default:
                activity.DisplayName = values.Text();
                break;
        }
    }

    [LoggerMessage(77, LogLevel.Information, "{Id} {Name} {C:F1} {D} {E} {F} {G:X4}")]
    private static partial void Seven(ILogger logger, int id, string? name, double c, bool d, Guid e, DayOfWeek f, int g);

    [LoggerMessage(78, LogLevel.Trace, "Name {Name}")]
    private static partial void Named(ILogger logger, string? name);

    private sealed class ScopeLogger(IExternalScopeProvider scopes) : ILogger
    {
        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull
            => scopes.Push(state);

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter) => throw new NotSupportedException();
    }
}
