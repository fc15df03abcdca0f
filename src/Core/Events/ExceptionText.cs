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
    private const int MaxShown = 16;
    private const int MaxCounted = 100_000;
    private const int MaxPartLength = 16 * 1024;

    /// <summary>Returns <c>ToString()</c>; a bounded text for very deep or wide exceptions; a placeholder if it throws.</summary>
    public static string Of(Exception exception, LogEvent owner)
    {
        if (!IsOrdinary(exception) || !RuntimeHelpers.TryEnsureSufficientExecutionStack())
            return Bounded(exception);
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

    // The first exceptions of the chain, without recursion.
    private static string Bounded(Exception exception)
    {
        var text = new StringBuilder();
        var count = 0;
        for (Exception? next = exception; next is not null && count < MaxCounted; next = next.InnerException)
        {
            if (count++ < MaxShown)
                Append(text, next, count == 1);
        }
        if (count > MaxShown)
        {
            var more = count - MaxShown;
            text.Append(CultureInfo.InvariantCulture, $"{Environment.NewLine} ---> ... {more}{(count == MaxCounted ? " or more" : "")} inner exceptions left out");
        }
        return text.ToString();
    }

    // Replaces the message of an aggregate, which .NET builds from all inner messages by recursion.
    private static string BoundedMessage(AggregateException aggregate)
        => string.Create(CultureInfo.InvariantCulture, $"({aggregate.InnerExceptions.Count} inner exceptions)");

    private static void Append(StringBuilder text, Exception exception, bool isFirst)
    {
        if (!isFirst)
            text.Append(Environment.NewLine).Append(" ---> ");
        text.Append(exception.GetType().FullName);
        if (exception is AggregateException aggregate)
            text.Append(' ').Append(BoundedMessage(aggregate));
        else
            text.Append(": ").Append(Limited(exception, static e => e.Message));
        var trace = Limited(exception, static e => e.StackTrace);
        if (!string.IsNullOrEmpty(trace))
            text.Append(Environment.NewLine).Append(trace);
    }

    private static string? Limited(Exception exception, Func<Exception, string?> member)
    {
        try
        {
            var text = member(exception);
            return text?.Length > MaxPartLength ? text[..MaxPartLength] : text;
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
