using System.Globalization;
using System.Runtime.CompilerServices;
using System.Text;

namespace AsyncLog;

/// <summary>The text of an exception: bounded, and never throwing.</summary>
internal static class ExceptionText
{
    // Beyond these, Exception.ToString could overflow the stack or build megabytes of text.
    private const int MaxDepth = 32;
    private const int MaxInner = 128;
    private const int MaxCounted = 100_000;

    // Of the record: the message and the stack trace of one exception, so that the first two fit however long the other parts of the record are.
    private const int PartShare = 16;
    private const int MinPartLength = 128;

    /// <summary>Returns <c>ToString()</c>; for very deep, wide or long exceptions with inner ones a text that fills the record; a placeholder if it throws.</summary>
    public static string Of(Exception exception, LogEvent owner)
    {
        if (!IsOrdinary(exception) || !RuntimeHelpers.TryEnsureSufficientExecutionStack())
            return Bounded(exception, owner.MaxRecordSize);
        try
        {
            var text = exception.ToString() ?? "";
            // Cut at its end it could lack the innermost exception.
            return text.Length > owner.MaxRecordSize && exception.InnerException is not null ? Bounded(exception, owner.MaxRecordSize) : text;
        }
        catch (Exception fault)
        {
            owner.CountRenderError(fault);
            return MessageRenderer.Placeholder(exception, exception);
        }
    }

    /// <summary>Returns the message; the number of inner exceptions for a very deep or wide aggregate; a placeholder if it throws.</summary>
    public static string MessageOf(Exception exception, LogEvent owner)
    {
        if (exception is AggregateException aggregate && (!IsOrdinary(aggregate) || !RuntimeHelpers.TryEnsureSufficientExecutionStack()))
            return BoundedMessage(aggregate);
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
        var left = MaxInner;
        var open = new Stack<(Exception Exception, int Depth)>();
        open.Push((exception, 0));
        while (open.TryPop(out var next))
        {
            if (next.Depth > MaxDepth || left-- == 0)
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

    // Without recursion: the exception, the innermost of its chain, then the others, outer ones before inner ones, as many as fit.
    private static string Bounded(Exception exception, int limit)
    {
        // The record has other parts, too.
        var most = limit - (limit / 8);
        var text = new StringBuilder();
        Append(text, exception, limit);
        var innermost = InnermostOf(exception);
        if (innermost is not null)
            Append(text.Append(Environment.NewLine).Append(" ---> (innermost) "), innermost, limit);
        var (visited, left) = (0, 0);
        var open = new Stack<Exception>();
        PushInner(exception, open);
        while (visited < MaxCounted && open.TryPop(out var next))
        {
            visited++;
            PushInner(next, open);
            if (ReferenceEquals(next, innermost))
                continue;
            var length = text.Length;
            if (left == 0)
                Append(text.Append(Environment.NewLine).Append(" ---> "), next, limit);
            if (left == 0 && text.Length <= most)
                continue;
            text.Length = length;
            left++;
        }
        if (left > 0)
            text.Append(CultureInfo.InvariantCulture, $"{Environment.NewLine} ---> ... {left}{(open.Count > 0 ? " or more" : "")} inner exceptions left out");
        return text.ToString();
    }

    private static Exception? InnermostOf(Exception exception)
    {
        var innermost = exception.InnerException;
        for (var count = 1; count < MaxCounted && innermost?.InnerException is { } next; count++)
            innermost = next;
        return innermost;
    }

    // The first is taken first.
    private static void PushInner(Exception exception, Stack<Exception> open)
    {
        if (exception is AggregateException { InnerExceptions: var all })
        {
            for (var i = Math.Min(all.Count, MaxCounted) - 1; i >= 0; i--)
                open.Push(all[i]);
        }
        else if (exception.InnerException is { } inner)
        {
            open.Push(inner);
        }
    }

    // Replaces the message of an aggregate, which .NET builds from all inner messages by recursion.
    private static string BoundedMessage(AggregateException aggregate)
        => string.Create(CultureInfo.InvariantCulture, $"({aggregate.InnerExceptions.Count} inner exceptions)");

    private static void Append(StringBuilder text, Exception exception, int limit)
    {
        text.Append(exception.GetType().FullName);
        if (exception is AggregateException aggregate)
            text.Append(' ').Append(BoundedMessage(aggregate));
        else
            text.Append(": ").Append(Limited(exception, limit, static e => e.Message));
        var trace = Limited(exception, limit, static e => e.StackTrace);
        if (!string.IsNullOrEmpty(trace))
            text.Append(Environment.NewLine).Append(trace);
    }

    private static string? Limited(Exception exception, int limit, Func<Exception, string?> member)
    {
        try
        {
            var most = Math.Max(limit / PartShare, MinPartLength);
            var text = member(exception);
            return text?.Length > most ? text[..most] : text;
        }
        catch (Exception)
        {
            // Harmless, the rest is written: Members_of_a_deep_chain_that_throw_leave_a_placeholder.
            return MessageRenderer.Placeholder(exception, exception);
        }
    }
}

/// <summary>The exception as properties of an event describe it, by the names of OpenTelemetry's semantic conventions.</summary>
internal sealed class ExceptionAttributes
{
    private const string Prefix = "exception.";

    public string? Type { get; private set; }

    public string? Message { get; set; }

    public string? StackTrace { get; private set; }

    /// <summary>Reads the attributes; null when the list has none.</summary>
    public static ExceptionAttributes? Read(PropertyList properties)
    {
        ExceptionAttributes? parts = null;
        // From the end: of equal names the last one counts.
        for (var i = properties.Count - 1; i >= 0; i--)
        {
            var property = properties.Items[i];
            if (!IsPart(property.Name) || property.Value.ToString() is not { Length: > 0 } text)
                continue;
            parts ??= new ExceptionAttributes();
            switch (property.Name[Prefix.Length])
            {
                case 't': parts.Type ??= text; break;
                case 'm': parts.Message ??= text; break;
                default: parts.StackTrace ??= text; break;
            }
        }
        return parts;
    }

    /// <summary>Removes the attributes from a list.</summary>
    public static void RemoveFrom(PropertyList properties)
    {
        for (var i = properties.Count - 1; i >= 0; i--)
        {
            if (IsPart(properties.Items[i].Name))
                properties.RemoveAt(i);
        }
    }

    /// <summary>The text in the form of <c>Exception.ToString()</c>.</summary>
    public string Text()
    {
        var (type, message, stack) = (Type, Message, StackTrace);
        // A stack trace may begin with a line of type and message, as ToString does.
        if (stack is not null && type is not null && stack.StartsWith(type, StringComparison.Ordinal))
        {
            if (string.IsNullOrEmpty(message) || stack.Contains(message, StringComparison.Ordinal))
                return stack;
            var end = stack.IndexOf('\n', StringComparison.Ordinal);
            stack = end < 0 ? null : stack[(end + 1)..];
        }
        var head = string.IsNullOrEmpty(type) ? message : string.IsNullOrEmpty(message) ? type : $"{type}: {message}";
        return string.IsNullOrEmpty(stack) ? head ?? "" : string.IsNullOrEmpty(head) ? stack : head + Environment.NewLine + stack;
    }

    private static bool IsPart(string name) => name is "exception.type" or "exception.message" or "exception.stacktrace";
}
