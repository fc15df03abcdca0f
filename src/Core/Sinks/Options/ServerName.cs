namespace AsyncLog;

/// <summary>The server of an instance, as configured.</summary>
/// <param name="Address">The host or the path of a socket.</param>
/// <param name="Port">The port; null where there is none.</param>
internal sealed record ServerName(string Address, int? Port);
