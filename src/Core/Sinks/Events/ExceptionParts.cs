namespace AsyncLog;

/// <summary>What properties of an event say of its exception, by the names of OpenTelemetry's semantic conventions.</summary>
internal sealed class ExceptionParts
{
    private const string Prefix = "exception.";

    public string? Type { get; private set; }

    public string? Message { get; set; }

    public string? StackTrace { get; private set; }

    /// <summary>Reads the three; null when a list says nothing of an exception.</summary>
    public static ExceptionParts? Read(PropertyList properties)
    {
        ExceptionParts? parts = null;
        // From the end: of equal names the last counts.
        for (var i = properties.Count - 1; i >= 0; i--)
        {
            var property = properties.Items[i];
            if (!IsPart(property.Name) || property.Value.ToString() is not { Length: > 0 } text)
                continue;
            parts ??= new ExceptionParts();
            switch (property.Name[Prefix.Length])
            {
                case 't': parts.Type ??= text; break;
                case 'm': parts.Message ??= text; break;
                default: parts.StackTrace ??= text; break;
            }
        }
        return parts;
    }

    /// <summary>Takes the three out of a list.</summary>
    public static void RemoveFrom(PropertyList properties)
    {
        for (var i = properties.Count - 1; i >= 0; i--)
        {
            if (IsPart(properties.Items[i].Name))
                properties.RemoveAt(i);
        }
    }

    /// <summary>The text as <c>Exception.ToString()</c> puts it together.</summary>
    /// <param name="exception">Says what the parts do not; null for a buffered record.</param>
    /// <param name="owner">The event.</param>
    public string Text(Exception? exception, LogEvent owner)
    {
        var type = owner.ExceptionType;
        var message = owner.ExceptionMessage;
        var stack = StackTrace;
        if (exception is not null && stack is null)
        {
            var own = ExceptionText.Of(exception, owner);
            // The same, and more: it knows those inside.
            if (own.StartsWith($"{type}: {message}", StringComparison.Ordinal))
                return own;
            stack = exception.StackTrace;
        }
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
