using System.Runtime.CompilerServices;

namespace AsyncLog;

/// <summary>The text of an exception, whatever its type does.</summary>
internal static class ExceptionText
{
    // Beyond, ToString would recurse until the stack ends, or build text nobody reads.
    private const int Deepest = 32;
    private const int MostInner = 128;

    /// <summary><c>ToString()</c>; a bounded text of our own where that could not end well; a placeholder where it throws.</summary>
    public static string Of(Exception exception, LogEvent owner)
    {
        if (!IsOrdinary(exception) || !RuntimeHelpers.TryEnsureSufficientExecutionStack())
            return BoundedExceptionText.Of(exception);
        try
        {
            return exception.ToString() ?? "";
        }
        catch (Exception fault)
        {
            owner.CountRenderError(fault);
            return MessageRenderer.Placeholder(exception, exception);
        }
    }

    /// <summary>Its message; the number of those inside where an aggregate's, which is made of all of theirs, could not end well; a placeholder where it throws.</summary>
    public static string MessageOf(Exception exception, LogEvent owner)
    {
        if (exception is AggregateException aggregate && (!IsOrdinary(aggregate) || !RuntimeHelpers.TryEnsureSufficientExecutionStack()))
            return BoundedExceptionText.MessageOf(aggregate);
        try
        {
            return exception.Message ?? "";
        }
        catch (Exception fault)
        {
            owner.CountRenderError(fault);
            return MessageRenderer.Placeholder(exception, exception);
        }
    }

    private static bool IsOrdinary(Exception exception)
    {
        if (exception.InnerException is null)
            return true;
        var left = MostInner;
        var open = new Stack<(Exception Exception, int Depth)>();
        open.Push((exception, 0));
        while (open.TryPop(out var next))
        {
            if (next.Depth > Deepest || left-- == 0)
                return false;
            if (next.Exception is not AggregateException aggregate)
            {
                if (next.Exception.InnerException is { } inner)
                    open.Push((inner, next.Depth + 1));
                continue;
            }
            if (aggregate.InnerExceptions.Count > left)
                return false;
            foreach (var inner in aggregate.InnerExceptions)
                open.Push((inner, next.Depth + 1));
        }
        return true;
    }
}
