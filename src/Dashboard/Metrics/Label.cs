namespace AsyncLog;

/// <summary>One label of a sample; the name is in the format's form.</summary>
internal readonly record struct Label(string Name, string Value);
