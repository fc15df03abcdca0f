namespace AsyncLog;

/// <summary>A rule over several options, and the key it blames.</summary>
internal sealed record CrossRule<TOptions>(string Key, Func<TOptions, string?> Rule);

/// <summary>A key that is allowed only while another one has a fitting value. Inherited and unfit it is ignored, else it is an error.</summary>
internal sealed record DependentKey<TOptions>(string Key, string DecidingKey, Func<TOptions, bool> Fits, string Rule);
