namespace AsyncLog.Sinks;

/// <summary>Exception by which a sink names the class of a failure. Any other exception is counted under its type name.</summary>
public sealed class LogSinkException : Exception
{
    /// <summary>Names a failure.</summary>
    /// <param name="errorType">A short lower-case class for example <c>no_space</c>: the tag <c>error.type</c> of the metrics. Null or empty: <c>LogSinkException</c>.</param>
    /// <param name="message">Description of the failure, without secrets.</param>
    /// <param name="isPermanent">True if it will not resolve itself (permission, TLS refusal): the state is then <see cref="SinkState.Failed"/>.</param>
    /// <param name="innerException">The cause.</param>
    public LogSinkException(string errorType, string message, bool isPermanent = false, Exception? innerException = null)
        : base(message, innerException)
    {
        ErrorType = string.IsNullOrEmpty(errorType) ? nameof(LogSinkException) : errorType;
        IsPermanent = isPermanent;
    }

    /// <summary>The class it is counted under. An instance counts 64 classes; every further one is <c>other</c>.</summary>
    public string ErrorType { get; }

    /// <summary>True if it will not resolve itself.</summary>
    public bool IsPermanent { get; }

    /// <summary>True if the destination cannot come back while the process lives, as a pipe whose reader is gone: a shutdown and a flush do not wait for it.</summary>
    /// <value>Default false. Another value of a later failure, or a success, replaces it.</value>
    public bool IsGone { get; init; }

    /// <summary>Exact delay before the next attempt: as requested by a server, for example.</summary>
    /// <value>Default null: the back-off of the instance decides; so it does with zero or less.</value>
    public TimeSpan? RetryDelay { get; init; }

    /// <summary>True if <see cref="RetryDelay"/> is a back-off of the sink, not the request of a server: while the queue is more than seven tenths full, the next attempt
    /// comes after 1 to 3 seconds, as with the back-off of the instance.</summary>
    /// <value>Default false: the delay is exact.</value>
    public bool MayRetrySooner { get; init; }

    /// <summary>The class of any exception.</summary>
    internal static string TypeOf(Exception exception) => exception is LogSinkException named ? named.ErrorType : exception.GetType().Name;

    /// <summary>The text of any exception.</summary>
    internal static string TextOf(Exception exception)
    {
        try
        {
            return exception.Message;
        }
        catch (Exception)
        {
            // The type is the text; test An_exception_that_cannot_even_be_read_loses_no_record.
            return exception.GetType().Name;
        }
    }
}
