namespace AsyncLog;

/// <summary>The layouts an instance of one sink can have: the sink's own and those registered by name.</summary>
/// <param name="builtIn">The sink's own.</param>
/// <param name="registered">Those registered by name; null: the sink takes none.</param>
internal sealed class SinkFormats(IReadOnlyList<string> builtIn, IEnumerable<string>? registered, string defaultFormat)
{
    /// <summary>The library's own formats, which <c>LogFormatters</c> makes.</summary>
    public const string Text = "Text";
    public const string Json = "Json";
    public const string Clef = "Clef";

    private static readonly string[] Standard = [Text, Json, Clef];

    // The names that other libraries give to such formats.
    private static readonly Dictionary<string, string> OtherNames = new(StringComparer.OrdinalIgnoreCase)
    {
        ["Simple"] = Text,
        ["Plain"] = Text,
        ["CompactJson"] = Clef,
        ["RenderedCompactJson"] = Clef,
    };

    private readonly string[] _names = [.. builtIn.Concat(registered ?? []).Distinct(StringComparer.OrdinalIgnoreCase)];

    public bool IsText(SinkOptions options) => Text.Equals(options.Format ?? defaultFormat, StringComparison.OrdinalIgnoreCase);

    /// <summary>Returns true if the instance's format takes a template: text, and a format of the sink's own unless the sink excludes the key.</summary>
    public bool TakesTemplate(SinkOptions options) => IsText(options) || IsOwn(options.Format ?? defaultFormat);

    public bool IsClef(SinkOptions options) => Clef.Equals(options.Format ?? defaultFormat, StringComparison.OrdinalIgnoreCase);

    /// <summary>The format's name as it was registered.</summary>
    public string Canonical(string? format) =>
        Array.Find(_names, name => name.Equals(format ?? defaultFormat, StringComparison.OrdinalIgnoreCase)) ?? format ?? defaultFormat;

    public OptionKind<string?> Kind => new(
        new OptionForm(registered is null ? OptionFormKind.Choice : OptionFormKind.OpenChoice) { IsOptional = true, Words = builtIn },
        text => Rule(text) is { } rule ? ParseResult<string?>.Invalid(rule, Suggest(text)) : new ParseResult<string?>(text),
        static text => text,
        text => text is null ? null : Rule(text));

    private bool IsOwn(string format) => builtIn.Contains(format, StringComparer.OrdinalIgnoreCase) && !Standard.Contains(format, StringComparer.OrdinalIgnoreCase);

    private string? Rule(string text)
        => _names.Contains(text, StringComparer.OrdinalIgnoreCase) ? null : $"expected {OptionText.Alternatives(_names)}";

    private string? Suggest(string text) =>
        OtherNames.TryGetValue(text, out var known) && _names.Contains(known, StringComparer.OrdinalIgnoreCase) ? known
        : NameSuggestions.Closest(text, _names);
}
