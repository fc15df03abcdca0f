namespace AsyncLog;

/// <summary>A value read from the text of an option, or the rule the text breaks.</summary>
/// <typeparam name="T">The option's type.</typeparam>
/// <param name="Value">The value; of no meaning when there is a rule.</param>
/// <param name="Rule">The broken rule in words (<c>expected true or false</c>), or null.</param>
/// <param name="Suggestion">Probable intention, or null.</param>
internal readonly record struct ParseResult<T>(T Value, string? Rule = null, string? Suggestion = null)
{
    /// <summary>True if there is a value.</summary>
    public bool IsValid => Rule is null;

    /// <summary>A text that is not valid.</summary>
    /// <param name="rule">The broken rule in words.</param>
    /// <param name="suggestion">Probable intention, or null.</param>
    public static ParseResult<T> Invalid(string rule, string? suggestion = null) => new(default!, rule, suggestion);

    internal ParseResult<object?> Box() => new(Value, Rule, Suggestion);

    internal ParseResult<TOther> Select<TOther>(Func<T, TOther> convert) =>
        Rule is null ? new ParseResult<TOther>(convert(Value)) : ParseResult<TOther>.Invalid(Rule, Suggestion);
}
