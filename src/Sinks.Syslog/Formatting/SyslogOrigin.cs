namespace AsyncLog;

/// <summary>The parameters of element <c>origin</c> that are set.</summary>
internal readonly record struct SyslogOrigin(string? Ip, string? EnterpriseId, string? Software, string? SwVersion);
