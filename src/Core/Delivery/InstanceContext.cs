using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>The context of a sink that an instance created.</summary>
internal sealed class InstanceContext(InstanceState instance)
    : SinkContext(instance.Name, instance.TimeProvider, instance.Application, instance.Events, instance.Instruments)
{
    private SegmentQueue? _queue;
    private bool _hasEnded;
    private string? _target;
    private ServerAddress? _server;
    private bool _isInForce = true;

    /// <summary>The queue in front of the sink; a reload may replace it.</summary>
    public SegmentQueue? Queue
    {
        get => Volatile.Read(ref _queue);
        set => Volatile.Write(ref _queue, value);
    }

    /// <summary>False while another sink is in use: the status shows the destination of that one.</summary>
    public bool IsInForce
    {
        init => _isInForce = value;
    }

    public override void Wake() => Queue?.Wake();

    public override void Report(LogLevel severity, string condition, string message) => instance.SelfReport.Report(severity, Name, condition, message);

    public override void ReportRecovery(string condition, string message) => instance.SelfReport.Resolve(Name, condition, message);

    public override void CountError(string errorType, string? message = null)
    {
        if (message is null)
            instance.Metrics.CountError(errorType);
        else
            instance.Metrics.Failed(errorType, message, TimeProvider.GetUtcNow().UtcTicks);
        instance.Health.AddTransientError(errorType);
    }

    public override void Degrade(string reason, bool isPermanent = false)
    {
        instance.Health.Degrade(this, reason, isPermanent);
        // Checked afterwards: a sink that was replaced in the meantime must not leave a condition behind.
        if (Volatile.Read(ref _hasEnded))
            instance.Health.RemoveConditionsOf(this);
    }

    public override void Restore(string reason) => instance.Health.Restore(this, reason);

    internal override void CountUncertain(int records) => instance.Metrics.AddUncertain(records);

    public override void CountTruncated() => instance.Metrics.RecordTruncated();

    internal override void CountLeftOut(int properties) => instance.Metrics.LeftOut(properties);

    public override void SetTarget(string target)
    {
        _target = target;
        if (Volatile.Read(ref _isInForce))
            instance.Target = target;
    }

    public override void SetServer(string address, int? port)
    {
        _server = new ServerAddress(address, port);
        if (Volatile.Read(ref _isInForce))
            instance.Server = _server;
    }

    /// <summary>The sink is in use from now on.</summary>
    public void PutInForce()
    {
        Volatile.Write(ref _isInForce, true);
        (instance.Target, instance.Server) = (_target ?? instance.Target, _server ?? instance.Server);
    }

    internal override void PublishPropertiesLeftOut(string name, string unit, string description)
        => CreateInstrument(name, SinkInstrumentKind.Counter, unit, description).ReadFrom(() => instance.Metrics.PropertiesLeftOut);

    /// <summary>Clears the conditions of a sink that the instance no longer uses; later ones have no effect.</summary>
    public void ClearConditions()
    {
        Interlocked.Exchange(ref _hasEnded, true);
        instance.Health.RemoveConditionsOf(this);
    }
}
