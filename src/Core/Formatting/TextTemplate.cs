using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Text;

namespace AsyncLog;

/// <summary>A parsed text template: literals and placeholders in order.</summary>
internal sealed class TextTemplate
{
    /// <summary>The template of an instance that configures none.</summary>
    public const string Default = "{Timestamp:" + DefaultTimestamp + "} [{Level:u3}] {Category}: {Message}{NewLine}{Exception}";

    /// <summary>The format of timestamps that name none.</summary>
    public const string DefaultTimestamp = "yyyy-MM-dd HH:mm:ss.fff zzz";

    private const int MaxWidth = 128;

    private static readonly TemplatePart[] Known =
    [
        new(TextPlaceholder.Timestamp, "Timestamp"),
        new(TextPlaceholder.Level, "Level"),
        new(TextPlaceholder.Category, "Category"),
        new(TextPlaceholder.Category, "SourceContext"),
        new(TextPlaceholder.Message, "Message"),
        new(TextPlaceholder.Exception, "Exception"),
        new(TextPlaceholder.NewLine, "NewLine"),
        new(TextPlaceholder.EventId, "EventId"),
        new(TextPlaceholder.EventName, "EventName"),
        new(TextPlaceholder.TraceId, "TraceId"),
        new(TextPlaceholder.SpanId, "SpanId"),
        new(TextPlaceholder.ThreadId, "ThreadId"),
        new(TextPlaceholder.ProcessId, "ProcessId"),
        new(TextPlaceholder.MachineName, "MachineName"),
        new(TextPlaceholder.ApplicationName, "ApplicationName"),
        new(TextPlaceholder.EnvironmentName, "EnvironmentName"),
        new(TextPlaceholder.Instance, "Instance"),
        new(TextPlaceholder.Scopes, "Scopes"),
        new(TextPlaceholder.Properties, "Properties"),
    ];

    private TextTemplate(TemplatePart[] parts) => Parts = parts;

    /// <summary>The names of the placeholders that are no properties.</summary>
    public static IReadOnlyCollection<string> Names { get; } = [.. Known.Select(static part => part.Text)];

    public TemplatePart[] Parts { get; }

    /// <summary>Parses a template.</summary>
    /// <exception cref="ArgumentException">It is not valid.</exception>
    public static TextTemplate Parse(string text)
        => TryParse(text, out var template, out var error) ? template : throw new ArgumentException($"The template is not valid: {error}.", nameof(text));

    /// <summary>Parses a template; an error names the column, counted from 1.</summary>
    public static bool TryParse(string text, [NotNullWhen(true)] out TextTemplate? template, [NotNullWhen(false)] out string? error)
    {
        template = null;
        var parts = new List<TemplatePart>();
        var literal = new StringBuilder();
        for (var at = 0; at < text.Length; at++)
        {
            var c = text[at];
            if (c is '{' or '}' && at + 1 < text.Length && text[at + 1] == c)
            {
                literal.Append(c);
                at++;
            }
            else if (c == '}')
            {
                error = At(at, "'}' without '{': write '}}' for a brace");
                return false;
            }
            else if (c != '{')
            {
                literal.Append(c);
            }
            else
            {
                AddLiteral(parts, literal);
                if (!TryParsePlaceholder(text, ref at, parts, out error))
                    return false;
            }
        }
        AddLiteral(parts, literal);
        template = new TextTemplate([.. parts]);
        error = null;
        return true;
    }

    /// <summary>Finds probable mistakes: what the template prints, as a sentence without its end, and a hint.</summary>
    public IEnumerable<(string Statement, string? Hint)> Warnings()
    {
        foreach (var name in Parts.Where(static part => part.Placeholder == TextPlaceholder.Property).Select(static part => part.Text).Distinct(StringComparer.Ordinal))
        {
            // A third of its letters at most may differ.
            if (NameSuggestions.Near(name, Names.Where(known => NameSuggestions.Distance(name, known) * 3 <= name.Length)) is { } near)
                yield return ($"prints a property named '{name}'", $"did you mean {{{near}}}?");
        }

        foreach (var format in Parts.Where(static part => part is { Placeholder: TextPlaceholder.Timestamp, Format: not null }).Select(static part => part.Format!))
        {
            if (TimestampFormat.FindLiteralLetter(format) is var (letter, meant))
                yield return ($"prints the letter '{letter}' of {{Timestamp:{format}}} as it is", meant is null ? "quote text as in 'at'" : $"did you mean {{Timestamp:{meant}}}?");
        }

        // Literals never follow each other.
        if (Array.FindIndex(Parts, static part => part is { Placeholder: TextPlaceholder.Literal, Text: [.., '$'] }) is >= 0 and var index && index < Parts.Length - 1)
            yield return ("prints '$' before a value", "write placeholders as in {Timestamp} {Level:u3} {Category} {Message}");
        if (!Array.Exists(Parts, static part => part.Placeholder is TextPlaceholder.Message or TextPlaceholder.Exception))
            yield return ("has neither {Message} nor {Exception}: the text of records is not written", null);
    }

    private static void AddLiteral(List<TemplatePart> parts, StringBuilder literal)
    {
        if (literal.Length > 0)
            parts.Add(new TemplatePart(TextPlaceholder.Literal, literal.ToString()));
        literal.Clear();
    }

    private static bool TryParsePlaceholder(string text, ref int at, List<TemplatePart> parts, [NotNullWhen(false)] out string? error)
    {
        var start = at + 1;
        var end = text.IndexOfAny(['{', '}'], start);
        if (end < 0 || text[end] == '{')
        {
            error = At(at, "'{' without '}': write '{{' for a brace");
            return false;
        }
        at = end;
        var nameEnd = text.AsSpan(start, end - start).IndexOfAny(',', ':');
        nameEnd = nameEnd < 0 ? end : start + nameEnd;
        var name = text[start..nameEnd];
        if (name.Length == 0 || char.IsWhiteSpace(name[0]) || char.IsWhiteSpace(name[^1]))
        {
            error = At(start, "expected a name without spaces around it");
            return false;
        }
        var formatStart = text.IndexOf(':', nameEnd, end - nameEnd);
        var width = 0;
        if (text[nameEnd] == ',' && !TryParseWidth(text.AsSpan(nameEnd + 1, (formatStart < 0 ? end : formatStart) - nameEnd - 1), out width))
        {
            error = At(nameEnd + 1, $"expected a width from 1 to {MaxWidth}, with '-' to align left");
            return false;
        }
        var format = formatStart < 0 || formatStart + 1 == end ? null : text[(formatStart + 1)..end];
        var placeholder = Array.Find(Known, part => part.Text == name)?.Placeholder ?? TextPlaceholder.Property;
        var problem = CheckFormat(placeholder, name, format);
        error = problem is null ? null : At(format is null ? start : formatStart + 1, problem);
        parts.Add(new TemplatePart(placeholder, name, width, format));
        return error is null;
    }

    private static bool TryParseWidth(ReadOnlySpan<char> text, out int width)
    {
        var isLeft = text.StartsWith('-');
        var isValid = int.TryParse(isLeft ? text[1..] : text, NumberStyles.None, CultureInfo.InvariantCulture, out width) && width is > 0 and <= MaxWidth;
        width = isLeft ? -width : width;
        return isValid;
    }

    // The rule that a format breaks, or null.
    private static string? CheckFormat(TextPlaceholder placeholder, string name, string? format) => placeholder switch
    {
        _ when format is null => null,
        TextPlaceholder.Property => null,
        TextPlaceholder.Timestamp => TimestampFormat.Check(format),
        TextPlaceholder.Level => LevelNames.InForm(format) is null ? Expected(name, format, "u3, w3, t3, u, w, syslog or none") : null,
        TextPlaceholder.Category => format == "s" ? null : Expected(name, format, "s or none"),
        TextPlaceholder.Message => format == "lj" ? null : Expected(name, format, "lj or none"),
        _ => $"{{{name}}} takes no format",
    };

    private static string Expected(string name, string format, string expected) => $"'{format}' is not a format of {{{name}}}: expected {expected}";

    private static string At(int index, string problem) => string.Create(CultureInfo.InvariantCulture, $"column {index + 1}: {problem}");
}

/// <summary>A literal or a placeholder of a text template.</summary>
/// <param name="Text">The literal's text, or the name in the braces.</param>
/// <param name="Width">The minimum width; negative: aligned left; 0: not aligned.</param>
/// <param name="Format">The text after the colon, or null.</param>
internal sealed record TemplatePart(TextPlaceholder Placeholder, string Text, int Width = 0, string? Format = null);

/// <summary>The kinds of parts of a text template.</summary>
internal enum TextPlaceholder : byte
{
    Literal,
    Timestamp,
    Level,
    Category,
    Message,
    Exception,
    NewLine,
    EventId,
    EventName,
    TraceId,
    SpanId,
    ThreadId,
    ProcessId,
    MachineName,
    ApplicationName,
    EnvironmentName,
    Instance,
    Scopes,
    Properties,

    /// <summary>A property of the state or a scope, by name.</summary>
    Property,
}
