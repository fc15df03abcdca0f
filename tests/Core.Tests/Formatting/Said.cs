using System.Diagnostics;
using System.Text;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Formatting;

/// <summary>What one call of a logger said, and how a layout writes it. The one place of these tests that knows how an event is filled.</summary>
internal sealed class Said
{
    public static readonly DateTimeOffset Noon = new DateTimeOffset(2026, 11, 20, 11, 31, 7, 482, TimeSpan.Zero).AddTicks(1234);

    public static readonly ApplicationInfo Application = new() { ApplicationName = "Shop", EnvironmentName = "Staging", ContentRootPath = "/srv/shop" };

    private readonly LoggerExternalScopeProvider _scopes = new();

    public DateTimeOffset Time { get; init; } = Noon;

    public LogLevel Level { get; init; } = LogLevel.Information;

    public string Category { get; init; } = "Shop.Cart";

    public EventId Id { get; init; }

    public string? Message { get; init; } = "Item 42 added";

    public string? Template { get; init; }

    public (string Name, object? Value)[] State { get; init; } = [];

    public object[] Scopes { get; init; } = [];

    public Exception? Exception { get; init; }

    public string? Trace { get; init; }

    /// <summary>What the last rendering told.</summary>
    public bool WasTruncated { get; private set; }

    public int RenderErrors { get; private set; }

    public static RecordLayout Text(string? template = null) => new() { Format = "Text", Template = template };

    public static RecordLayout Json() => new() { Format = "Json" };

    public static RecordLayout Clef() => new() { Format = "Clef" };

    /// <summary>The record, with its line end.</summary>
    public string In(RecordLayout layout, TimeProvider? time = null) => Encoding.UTF8.GetString(Bytes(layout, time));

    public byte[] Bytes(RecordLayout layout, TimeProvider? time = null)
    {
        var formatter = LogFormatters.Create(layout, Application, time ?? new ZonedTime(TimeSpan.FromHours(1)));
        var written = Bytes(formatter, layout.MaxRecordSize, isRenderedOnce: true);
        // A message that is kept because another layout wants it too gives the same record.
        Assert.Equal(Bytes(formatter, layout.MaxRecordSize, isRenderedOnce: false), written);
        return written;
    }

    /// <summary>The record that stands for one that failed.</summary>
    public string ErrorIn(RecordLayout layout, string error)
    {
        var buffer = new RecordBuffer();
        var logEvent = new LogEvent();
        Fill(logEvent);
        LogFormatters.Create(layout, Application, new ZonedTime(TimeSpan.FromHours(1))).FormatError(logEvent, error, buffer);
        return Encoding.UTF8.GetString(buffer.WrittenSpan);
    }

    public void Render(ILogFormatter formatter, LogEvent logEvent, System.Buffers.IBufferWriter<byte> output, bool isRenderedOnce = true)
    {
        var scopes = Scopes.Select(_scopes.Push).ToArray();
        Fill(logEvent);
        logEvent.IsRenderedOnce = isRenderedOnce;
        try
        {
            formatter.Format(logEvent, output);
            WasTruncated = logEvent.WasTruncated;
            RenderErrors = logEvent.RenderErrors;
        }
        finally
        {
            logEvent.Reset();
            foreach (var scope in scopes.Reverse())
                scope.Dispose();
        }
    }

    private byte[] Bytes(ILogFormatter formatter, int maxRecordSize, bool isRenderedOnce)
    {
        var buffer = new RecordBuffer();
        buffer.Reset(4 * maxRecordSize);
        Render(formatter, new LogEvent(), buffer, isRenderedOnce);
        Assert.False(buffer.IsTruncated);
        return buffer.WrittenSpan.ToArray();
    }

    private void Fill(LogEvent logEvent)
    {
        logEvent.Begin(Time.UtcTicks, Level, new LogCategory(Category), Id, Exception, _scopes, 1 << 20);
        logEvent.SetTemplate(Template);
        logEvent.SetMessage(Message);
        foreach (var (name, value) in State)
            logEvent.State.Add(name, LogValue.FromObject(value));
        if (Trace is null)
            return;
        logEvent.SetBuffered(null, ActivityTraceId.CreateFromString(Trace.AsSpan(0, 32)), ActivitySpanId.CreateFromString(Trace.AsSpan(33)), threadId: null);
    }
}
