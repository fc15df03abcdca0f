namespace AsyncLog.Bench;

/// <summary>One number that a mode finds.</summary>
/// <param name="Key">In results.</param>
/// <param name="Heading">In tables, with its unit.</param>
/// <param name="Format">In tables.</param>
/// <param name="Scale">What the result is divided by for the table.</param>
internal sealed record Figure(string Key, string Heading, string Format, double Scale = 1);
