namespace AsyncLog;

/// <summary>A key that is allowed only while another one has a fitting value. Inherited and unfit it is ignored, else it is an error.</summary>
internal sealed record DependentKey<TOptions>(string Key, string DecidingKey, Func<TOptions, bool> Fits, string Rule);
