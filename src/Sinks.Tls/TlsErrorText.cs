namespace AsyncLog;

/// <summary>What a TLS library's exceptions say, without the wrapping.</summary>
internal static class TlsErrorText
{
    public static string Of(Exception exception)
    {
        Exception innermost = exception;
        while (innermost.InnerException is { } inner)
            innermost = inner;
        return ReferenceEquals(innermost, exception) ? exception.Message : $"{exception.Message.TrimEnd('.')}: {innermost.Message}";
    }
}
