using System.Globalization;
using System.Text;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Capture;

/// <summary>Captures each call through the thread's context, as a provider does, and keeps what the event said as text.</summary>
internal sealed class CapturingLogger : ILogger
{
    private static readonly LogCategory Category = new("C");

    public LoggerExternalScopeProvider ScopeProvider { get; } = new();

    public int Limit { get; set; } = 256 * 1024;

    public string Message { get; private set; } = "";

    public long MessageLength { get; private set; }

    public bool IsMessageNull { get; private set; }

    public string? Template { get; private set; }

    public string[] Properties { get; private set; } = [];

    public string? ExceptionText { get; private set; }

    public int RenderErrors { get; private set; }

    /// <summary>Looks at the event while it is alive.</summary>
    public Action<LogEvent>? Look { get; set; }

    /// <summary>Calls that were too deep.</summary>
    public int Reentrant { get; private set; }

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull
        => ScopeProvider.Push(state);

    public bool IsEnabled(LogLevel logLevel) => true;

    public void Log<TState>(
        LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
    {
        var context = CaptureContext.Current;
        if (!context.TryEnter())
        {
            Reentrant++;
            return;
        }
        try
        {
            var logEvent = context.Event;
            logEvent.Begin(0, logLevel, Category, eventId, exception, ScopeProvider, Limit);
            StateReader<TState>.Instance.Read(ref state, formatter, logEvent);
            Keep(logEvent);
        }
        finally
        {
            context.Exit();
        }
    }

    public static string Text(in LogProperty property)
        => string.Create(CultureInfo.InvariantCulture, $"{property.Name}={property.Value.ToObject() ?? "null"}");

    private void Keep(LogEvent logEvent)
    {
        Message = Encoding.UTF8.GetString(logEvent.Message);
        MessageLength = logEvent.MessageLength;
        IsMessageNull = logEvent.IsMessageNull;
        Template = logEvent.MessageTemplate;
        Properties = logEvent.Properties.ToArray().Where(p => p.Value.Kind != LogValueKind.Object).Select(p => Text(p)).ToArray();
        Look?.Invoke(logEvent);
        ExceptionText = logEvent.ExceptionText;
        RenderErrors = logEvent.RenderErrors;
    }
}
