using System.Globalization;
using System.Text;

namespace AsyncLog;

/// <summary>Tells of an exception with thousands of others inside: the first few of them, without recursion.</summary>
internal static class BoundedExceptionText
{
    private const int MostTold = 16;
    private const int MostCounted = 100_000;
    private const int LongestPart = 16 * 1024;

    public static string Of(Exception exception)
    {
        var text = new StringBuilder();
        var count = 0;
        for (Exception? next = exception; next is not null && count < MostCounted; next = next.InnerException)
        {
            if (count++ < MostTold)
                Tell(text, next, count == 1);
        }
        if (count > MostTold)
        {
            var more = count - MostTold;
            text.Append(CultureInfo.InvariantCulture, $"{Environment.NewLine} ---> ... {more}{(count == MostCounted ? " or more" : "")} inner exceptions left out");
        }
        return text.ToString();
    }

    /// <summary>What stands for the message of an aggregate, which is made of all messages inside, by recursion.</summary>
    public static string MessageOf(AggregateException aggregate)
        => string.Create(CultureInfo.InvariantCulture, $"({aggregate.InnerExceptions.Count} inner exceptions)");

    private static void Tell(StringBuilder text, Exception exception, bool isFirst)
    {
        if (!isFirst)
            text.Append(Environment.NewLine).Append(" ---> ");
        text.Append(exception.GetType().FullName);
        if (exception is AggregateException aggregate)
            text.Append(' ').Append(MessageOf(aggregate));
        else
            text.Append(": ").Append(Bounded(exception, static e => e.Message));
        var trace = Bounded(exception, static e => e.StackTrace);
        if (!string.IsNullOrEmpty(trace))
            text.Append(Environment.NewLine).Append(trace);
    }

    private static string? Bounded(Exception exception, Func<Exception, string?> member)
    {
        try
        {
            var text = member(exception);
            return text?.Length > LongestPart ? text[..LongestPart] : text;
        }
        catch (Exception)
        {
            // Harmless, the rest is told: Members_of_a_deep_chain_that_throw_leave_a_placeholder.
            return MessageRenderer.Placeholder(exception, exception);
        }
    }
}
