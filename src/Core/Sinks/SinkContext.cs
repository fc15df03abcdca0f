namespace AsyncLog;

/// <summary>What an instance gives to the sink it creates.</summary>
public sealed class SinkContext
{
    private readonly SinkInstance _instance;
    private bool _hasEnded;

    internal SinkContext(SinkInstance instance) => _instance = instance;

    internal SinkWakes Wakes { get; } = new();

    /// <summary>The instance's name in metrics and reports, for example <c>file/errors</c>.</summary>
    public string Name => _instance.Name;

    /// <summary>The clock; sinks know no other.</summary>
    public TimeProvider TimeProvider => _instance.TimeProvider;

    /// <summary>Names and folders of the application.</summary>
    public ApplicationInfo Application => _instance.Application;

    /// <summary>Whether the instance is changed or switched on while the application runs: what belongs to its start is not done.</summary>
    public bool IsReload { get; internal init; }

    /// <summary>Asks the worker to look after the sink soon: it calls <see cref="IScheduledLogSink.RunDueAsync"/> at the next batch boundary, if
    /// <see cref="IScheduledLogSink.NextDue"/> has passed.</summary>
    public void Wake() => Wakes.Wake();

    /// <summary>Tells an operator about a condition: the first time at once, then at most once a minute with the count since.</summary>
    /// <param name="severity">How bad.</param>
    /// <param name="condition">A stable key of the condition, for example <c>roll</c>.</param>
    /// <param name="message">What happened and what it does now: one line without the instance's name.</param>
    public void Report(SelfReportLevel severity, string condition, string message) => _instance.SelfReport.Report(severity, Name, condition, message);

    /// <summary>Ends a condition that was reported; says so once.</summary>
    /// <param name="condition">The key given to <see cref="Report"/>.</param>
    /// <param name="message">What works again.</param>
    public void Resolve(string condition, string message) => _instance.SelfReport.Resolve(Name, condition, message);

    /// <summary>Counts a failed operation that the sink got over by itself; the state is <see cref="SinkState.Degraded"/> for a minute. What it throws is
    /// counted by the worker.</summary>
    /// <param name="errorType">Its class, a short lower-case word such as <c>no_space</c>, <c>permission</c>, <c>timeout</c>, <c>refused</c>, <c>reset</c>, <c>dns</c>,
    /// <c>tls</c>: the tag <c>error.type</c> of the metrics.</param>
    /// <param name="message">What happened, without secrets: it becomes the status's last error. Default null: the last error stays.</param>
    public void CountError(string errorType, string? message = null)
    {
        if (message is null)
            _instance.Metrics.CountError(errorType);
        else
            _instance.Metrics.Failed(errorType, message, TimeProvider.GetUtcNow().UtcTicks);
        _instance.Health.GotOver(errorType);
    }

    /// <summary>Sets the state to <see cref="SinkState.Degraded"/> for a condition under which the sink goes on delivering, though not everything or not
    /// where it should; until <see cref="Restore"/>. What a throw says of the state comes first.</summary>
    /// <param name="reason">The state's reason: a short lower-case word, for example <c>disk_low</c>.</param>
    /// <param name="isPermanent">Whether it will not go away by itself but has to be corrected by an operator: the state is then <see cref="SinkState.Failed"/>.</param>
    public void Degrade(string reason, bool isPermanent = false)
    {
        _instance.Health.Degrade(this, reason, isPermanent);
        // After it: a sink that is replaced meanwhile leaves nothing behind.
        if (Volatile.Read(ref _hasEnded))
            _instance.Health.Forget(this);
    }

    /// <summary>Ends a condition of this sink. The conditions of a sink that a reload replaced or switched off end by themselves.</summary>
    /// <param name="reason">The reason given to <see cref="Degrade"/>.</param>
    public void Restore(string reason) => _instance.Health.Restore(this, reason);

    /// <summary>The sink is no longer that of the instance: what it says of its state counts no more.</summary>
    internal void End()
    {
        Interlocked.Exchange(ref _hasEnded, true);
        _instance.Health.Forget(this);
    }

    /// <summary>Counts records that were written and of which it became known later that they may not have arrived. They stay counted as written.</summary>
    /// <param name="records">How many; an upper bound.</param>
    public void CountUncertain(int records) => _instance.Metrics.AddUncertain(records);

    /// <summary>Counts a record that the sink had to cut; those that the formatter cut are counted already.</summary>
    public void CountTruncated() => _instance.Metrics.RecordTruncated();

    /// <summary>Counts properties that the sink had to leave out of a record; those that the formatter left out are counted already.</summary>
    /// <param name="properties">How many.</param>
    public void CountLeftOut(int properties) => _instance.Metrics.LeftOut(properties);

    /// <summary>Sets the target shown in status and start-up line.</summary>
    /// <param name="target">A path, or an endpoint without credentials.</param>
    public void SetTarget(string target) => _instance.Target = target;

    /// <summary>Says which server it is: the tags <c>server.address</c> and <c>server.port</c> of the instance's metrics.</summary>
    /// <param name="address">The host or the path of a socket, as configured, not resolved.</param>
    /// <param name="port">The port; null where there is none.</param>
    public void SetServer(string address, int? port) => _instance.Server = new ServerName(address, port);

    /// <summary>What the sink tells in the EventSource <c>AsyncLog-Diagnostics</c>.</summary>
    public SinkEvents Events => _instance.Events;

    /// <summary>Gives the sink an instrument of its own: what it measures besides what is counted for every sink.</summary>
    /// <param name="name">The name in metrics, for example <c>asynclog.file.rolled</c>; who asks again gets the same instrument.</param>
    /// <param name="kind">How its values behave.</param>
    /// <param name="unit">The unit, as UCUM writes it: <c>By</c>, <c>{file}</c>.</param>
    /// <param name="description">What is measured: one line.</param>
    public SinkInstrument CreateInstrument(string name, SinkInstrumentKind kind, string unit, string description)
        => _instance.Instruments.Get(name, kind, unit, description);

    /// <summary>Publishes <see cref="SinkStatus.PropertiesLeftOut"/> under a name of the sink's own.</summary>
    /// <param name="name">The name in metrics, for example <c>asynclog.syslog.parameters.dropped</c>.</param>
    /// <param name="unit">The unit, as UCUM writes it.</param>
    /// <param name="description">What is measured: one line.</param>
    public void PublishPropertiesLeftOut(string name, string unit, string description)
    {
        var metrics = _instance.Metrics;
        _instance.Instruments.Get(name, SinkInstrumentKind.Counter, unit, description).ReadFrom(() => metrics.PropertiesLeftOut);
    }
}
