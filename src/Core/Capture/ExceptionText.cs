using System.Runtime.CompilerServices;
using System.Text;

namespace AsyncLog;

/// <summary>The text of an exception: its <c>ToString()</c>, bounded where that would not end or not fit the stack.</summary>
internal static class ExceptionText
{
    // .NET's own text recurses and copies per inner exception: beyond this it is time and stack without end.
    private const int Deepest = 64;

    public static string Of(Exception exception, LogEvent logEvent)
    {
        try
        {
            RuntimeHelpers.EnsureSufficientExecutionStack();
            return IsDeep(exception) ? Outline(exception) : exception.ToString() ?? "";
        }
        catch (Exception)
        {
            logEvent.RenderErrors++;
            return $"<error: {exception.GetType().FullName}>";
        }
    }

    private static bool IsDeep(Exception exception)
    {
        var nodes = 0;
        return CountExceeds(exception, ref nodes, 0);
    }

    private static bool CountExceeds(Exception? exception, ref int nodes, int depth)
    {
        for (; exception is not null; exception = exception.InnerException, depth++)
        {
            if (++nodes > Deepest || depth > Deepest)
                return true;
            if (exception is not AggregateException { InnerExceptions: { Count: > 1 } inner })
                continue;
            foreach (var child in inner)
            {
                if (CountExceeds(child, ref nodes, depth + 1))
                    return true;
            }

            return false;
        }

        return false;
    }

    private static string Outline(Exception exception)
    {
        var text = new StringBuilder();
        var depth = 0;
        for (var current = exception; current is not null && depth < Deepest; current = current.InnerException, depth++)
        {
            if (depth > 0)
                text.Append(Environment.NewLine).Append(" ---> ");
            text.Append(current.GetType().FullName).Append(": ").Append(current.Message);
            if (depth == 0 && current.StackTrace is { } stack)
                text.Append(Environment.NewLine).Append(stack);
        }

        return text.Append(Environment.NewLine).Append(" ---> (more inner exceptions are left out)").ToString();
    }
}
