using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Leaves <c>Log</c> where a record was not acknowledged and <see cref="SinkOptions.AcknowledgeFailureMode"/> is <see cref="AcknowledgeFailureMode.Throw"/>.</summary>
/// <remarks>Loggers of an <see cref="ILoggerFactory"/> put the exceptions of their providers, a single one too, into an <see cref="AggregateException"/>. Where
/// several instances of one provider failed it is the exception of the first. A record whose time was over stays in the queue and may still be written.</remarks>
public sealed class LogDeliveryException : Exception
{
    /// <summary>Makes the exception; for tests of your handler.</summary>
    /// <param name="sink">The instance, as <c>file/audit</c>.</param>
    /// <param name="level">The level of the record.</param>
    /// <param name="reason">Why it was not acknowledged, without a full stop.</param>
    public LogDeliveryException(string sink, LogLevel level, string reason)
        : base($"{sink} did not acknowledge a record of level {level}: {reason}.")
    {
        Sink = sink;
        Level = level;
    }

    /// <summary>The instance, as <c>file/audit</c>.</summary>
    public string Sink { get; }

    /// <summary>The level of the record.</summary>
    public LogLevel Level { get; }
}
