namespace AsyncLog;

/// <summary>Sources of a sink's options besides its section: variables that stand at the root of the configuration or, where none is
/// registered, in the environment; and the host.</summary>
internal sealed class SinkEnvironment
{
    private readonly Func<string, string?> _variable;

    internal SinkEnvironment(Func<string, string?> variable, string? hostApplicationName)
    {
        _variable = variable;
        HostApplicationName = hostApplicationName;
    }

    /// <summary>The application's name according to the host; null without a host or a name.</summary>
    public string? HostApplicationName { get; }

    /// <summary>Reason why the provider is switched off; null when it is not.</summary>
    internal string? SwitchedOff { get; private set; }

    /// <summary>The value of a variable; null when it is missing or empty.</summary>
    /// <param name="name">Its name.</param>
    public string? GetVariable(string name) => _variable(name) is { Length: > 0 } value ? value : null;

    /// <summary>Switches the provider off, all instances of it, whatever its options are; reported once at start.</summary>
    /// <param name="reason">Why: one line.</param>
    public void SwitchOff(string reason) => SwitchedOff ??= reason;
}
