namespace AsyncLog;

/// <summary>A rule over several options, and the key it blames.</summary>
internal sealed record CrossRule<TOptions>(string Key, Func<TOptions, string?> Rule);
