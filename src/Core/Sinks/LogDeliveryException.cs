using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Leaves <c>Log</c> where a record was not acknowledged and <see cref="SinkOptions.AcknowledgeFailure"/> is <see cref="AcknowledgeFailure.Throw"/>.</summary>
/// <remarks>The record may still be written later if it was accepted and its time was over. <c>ILogger</c> puts the exceptions of its providers into an
/// <see cref="AggregateException"/>. With several instances of one provider it is the exception of the first that failed.</remarks>
public sealed class LogDeliveryException : Exception
{
    internal LogDeliveryException(string sink, LogLevel level, string reason)
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
