namespace AsyncLog;

/// <summary>A value read from text, or the rule the text breaks.</summary>
internal readonly record struct Parsed<T>(T Value, string? Rule = null, string? Suggestion = null)
{
    public bool IsValid => Rule is null;

    public static Parsed<T> Invalid(string rule, string? suggestion = null) => new(default!, rule, suggestion);

    public Parsed<TOther> Select<TOther>(Func<T, TOther> convert) =>
        Rule is null ? new Parsed<TOther>(convert(Value)) : Parsed<TOther>.Invalid(Rule, Suggestion);
}
