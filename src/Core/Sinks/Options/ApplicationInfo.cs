namespace AsyncLog;

/// <summary>Names and folders of the application, from the host where there is one.</summary>
/// <param name="ApplicationName">The host's application name, else the entry assembly's name.</param>
/// <param name="EnvironmentName">The host's environment name, else <c>Production</c>.</param>
/// <param name="ContentRootPath">The host's content root, else <see cref="AppContext.BaseDirectory"/>; relative paths start here.</param>
public sealed record ApplicationInfo(string ApplicationName, string EnvironmentName, string ContentRootPath);
