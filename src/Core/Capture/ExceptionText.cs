namespace AsyncLog;

/// <summary>The text of an exception, whatever its type does.</summary>
internal static class ExceptionText
{
    public static string Of(Exception exception, LogEvent owner) => exception.ToString();
}
