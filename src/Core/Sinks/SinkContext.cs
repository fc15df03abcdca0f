using Microsoft.Extensions.Logging;

namespace AsyncLog.Sinks;

/// <summary>Connects a sink with its instance: name, clock, reports, counters, state.</summary>
/// <remarks>AsyncLog passes its own implementation to the delegate that makes the sink. This class does nothing, so that a
/// sink can be tested: <c>new SinkContext("memory/test")</c>, or a derived class that records the calls. All members may be called by any thread.</remarks>
public class SinkContext
{
    private readonly SinkInstruments _instruments;

    /// <summary>Makes a context without an instance, for a sink's own tests.</summary>
    /// <param name="name">Type and instance: <c>file/errors</c>.</param>
    /// <param name="timeProvider">The clock; null: the system's.</param>
    public SinkContext(string name, TimeProvider? timeProvider = null)
        : this(name, timeProvider, application: null, events: null)
    {
    }

    /// <param name="application">Names and folders; null: <c>test</c>, <c>Test</c> and the directory of the program.</param>
    /// <param name="events">Writes the sink's events; null: they are discarded.</param>
    /// <inheritdoc cref="SinkContext(string, TimeProvider)"/>
    internal SinkContext(string name, TimeProvider? timeProvider, ApplicationInfo? application, SinkEvents? events)
        : this(name, timeProvider ?? TimeProvider.System, application ?? new ApplicationInfo { ApplicationName = "test", EnvironmentName = "Test", ContentRootPath = AppContext.BaseDirectory }, events ?? new SinkEvents(), new SinkInstruments())
    {
    }

    private protected SinkContext(string name, TimeProvider timeProvider, ApplicationInfo application, SinkEvents events, SinkInstruments instruments)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        Name = name;
        TimeProvider = timeProvider;
        Application = application;
        Events = events;
        _instruments = instruments;
    }

    /// <summary>The instance's name in metrics and reports, for example <c>file/errors</c>.</summary>
    public string Name { get; }

    /// <summary>The clock; sinks use no other.</summary>
    /// <remarks><see cref="TimeProvider.GetUtcNow"/> and <see cref="TimeProvider.LocalTimeZone"/> are those of the application's <see cref="TimeProvider"/>:
    /// use them for time stamps and periods. <see cref="TimeProvider.GetTimestamp"/>, <see cref="TimeProvider.GetElapsedTime(long)"/> and
    /// <see cref="TimeProvider.CreateTimer"/> are those of the system: use them for durations, time-outs and pauses. The application's clock may stand still or
    /// be set, so a difference of two times of day is not a duration.</remarks>
    public TimeProvider TimeProvider { get; }

    /// <summary>Names and folders of the application.</summary>
    internal ApplicationInfo Application { get; }

    /// <summary>Writes the sink's events to the EventSource <c>AsyncLog-Diagnostics</c>.</summary>
    internal SinkEvents Events { get; }

    /// <summary>True if the instance is changed or switched on while the application runs: start-up work is not done.</summary>
    public bool IsReload { get; init; }

    /// <summary>Wakes the worker: it calls <see cref="IScheduledLogSink.RunDueAsync"/> at the next batch boundary if
    /// <see cref="IScheduledLogSink.NextDue"/> has passed.</summary>
    public virtual void Wake()
    {
    }

    /// <summary>Reports a condition to the operator: the first time at once, then at most once a minute with the count since.</summary>
    /// <param name="severity">Severity.</param>
    /// <param name="condition">A stable key of the condition, for example <c>roll</c>.</param>
    /// <param name="message">The event, and the action of the sink: one line without the instance's name.</param>
    public virtual void Report(LogLevel severity, string condition, string message)
    {
    }

    /// <summary>Ends a condition that was reported; the end is reported once.</summary>
    /// <param name="condition">The key given to <see cref="Report"/>.</param>
    /// <param name="message">The recovery.</param>
    public virtual void ReportRecovery(string condition, string message)
    {
    }

    /// <summary>Counts a failed operation that the sink recovered from; the state is <see cref="SinkState.Degraded"/> for a minute. An exception that the
    /// sink throws is counted by the worker.</summary>
    /// <param name="errorType">Its class, a short lower-case word such as <c>no_space</c>, <c>permission</c>, <c>timeout</c>, <c>refused</c>, <c>reset</c>, <c>dns</c>,
    /// <c>tls</c>: the tag <c>error.type</c> of the metrics.</param>
    /// <param name="message">Description of the failure, without secrets: it becomes the status's last error. Default null: the last error stays.</param>
    public virtual void CountError(string errorType, string? message = null)
    {
    }

    /// <summary>Sets the state to <see cref="SinkState.Degraded"/> while the sink delivers, though not everything or not to the usual place; until
    /// <see cref="Restore"/>. A failed delivery takes precedence in the state.</summary>
    /// <param name="reason">The state's reason: a short lower-case word, for example <c>disk_low</c>.</param>
    /// <param name="isPermanent">True if it will not resolve itself but has to be corrected by an operator: the state is then <see cref="SinkState.Failed"/>.</param>
    public virtual void Degrade(string reason, bool isPermanent = false)
    {
    }

    /// <summary>Ends a condition of this sink. The conditions of a sink that a reload replaced or switched off end by themselves.</summary>
    /// <param name="reason">The reason given to <see cref="Degrade"/>.</param>
    public virtual void Restore(string reason)
    {
    }

    /// <summary>Counts written records that may not have arrived, as the sink found later. They stay counted as written.</summary>
    /// <param name="records">Number of records; an upper bound.</param>
    internal virtual void CountUncertain(int records)
    {
    }

    /// <summary>Counts a record that the sink truncated; those that the formatter truncated are counted already.</summary>
    public virtual void CountTruncated()
    {
    }

    /// <summary>Counts properties that the sink left out of a record; those that the formatter left out are counted already.</summary>
    /// <param name="properties">Number of properties.</param>
    internal virtual void CountLeftOut(int properties)
    {
    }

    /// <summary>Sets the target shown in status and start-up line.</summary>
    /// <param name="target">A path, or an endpoint without credentials.</param>
    public virtual void SetTarget(string target)
    {
    }

    /// <summary>Sets the tags <c>server.address</c> and <c>server.port</c> of the instance's metrics.</summary>
    /// <param name="address">The host or the path of a socket, as configured, not resolved.</param>
    /// <param name="port">The port; null if there is none.</param>
    public virtual void SetServer(string address, int? port)
    {
    }

    /// <summary>Gets or creates an instrument of the instance, for measurements besides those of every sink.</summary>
    /// <param name="name">The name in metrics, for example <c>asynclog.file.rolled</c>; the same name returns the same instrument.</param>
    /// <param name="kind">Kind of its values.</param>
    /// <param name="unit">The unit, as UCUM writes it: <c>By</c>, <c>{file}</c>.</param>
    /// <param name="description">Description of the measurement: one line.</param>
    internal virtual SinkInstrument CreateInstrument(string name, SinkInstrumentKind kind, string unit, string description)
        => _instruments.Get(name, kind, unit, description);

    /// <summary>Publishes <see cref="SinkStatus.PropertiesLeftOut"/> under a name of the sink's own.</summary>
    /// <param name="name">The name in metrics, for example <c>asynclog.syslog.parameters.dropped</c>.</param>
    /// <param name="unit">The unit, as UCUM writes it.</param>
    /// <param name="description">Description of the measurement: one line.</param>
    internal virtual void PublishPropertiesLeftOut(string name, string unit, string description)
    {
    }
}
