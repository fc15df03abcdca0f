namespace AsyncLog;

/// <summary>A parsed message template: literals as UTF-8 and the holes between them. Immutable.</summary>
internal sealed class MessageTemplate(string text, MessagePart[] parts, string[] names)
{
    // As in the template, with their @ and $; the same array where there are none.
    private readonly string[] _written = names;

    /// <summary>The template as it was written.</summary>
    public string Text { get; } = text;

    /// <summary>Literals and holes in order; the holes are numbered in order of appearance.</summary>
    public MessagePart[] Parts { get; } = parts;

    /// <summary>Whether all literals are printable ASCII.</summary>
    public bool IsPlain { get; } = Array.TrueForAll(
        parts, static part => part.LiteralText is null && !part.Literal.Span.ContainsAnyExceptInRange((byte)' ', (byte)'~'));

    /// <summary>The name of each hole, without the <c>@</c> or <c>$</c> before it.</summary>
    public string[] Names { get; } = Array.Exists(names, HasSign) ? Array.ConvertAll(names, NameOf) : names;

    /// <summary>The name of the property for a hole: <c>{@Item}</c> and <c>{$Item}</c> ask other libraries for another rendering of <c>Item</c>.</summary>
    public static string NameOf(string hole) => HasSign(hole) ? hole[1..] : hole;

    /// <summary>Takes the <c>@</c> or <c>$</c> off the names of properties that are holes of a template.</summary>
    /// <param name="properties">The list.</param>
    /// <param name="first">The first of the properties that go with the template.</param>
    /// <param name="template">The template's text, or null.</param>
    public static void NameHoles(PropertyList properties, int first, string? template)
    {
        if (template is null)
            return;
        for (var i = first; i < properties.Count; i++)
        {
            var name = properties.Items[i].Name;
            if (HasSign(name) && TemplateTable.Find(template) is { } parsed && Array.IndexOf(parsed._written, name) is >= 0 and var hole)
                properties.Rename(i, parsed.Names[hole]);
        }
    }

    private static bool HasSign(string name) => name.Length > 1 && (name[0] == '@' || name[0] == '$');
}
