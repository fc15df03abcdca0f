using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Microsoft.Extensions.Primitives;

namespace AsyncLog;

/// <summary>Follows changes of the configuration for one provider: reads it again, has the provider apply the changes, renews the logger factory's rules.</summary>
internal sealed class SinkReload<TOptions>(
    SinkConfiguration<TOptions> configuration, ProcessOptions process, FilterChanges<TOptions> filters, SelfReport selfReport, Func<Action, ReloadWatch> watch) : IDisposable
    where TOptions : SinkOptions, new()
{
    private ReloadWatch? _watch;
    private ConfigurationReloadToken _optionsToken = new();

    /// <summary>Changes when a reload has put other options in force.</summary>
    public IChangeToken GetOptionsToken() => Volatile.Read(ref _optionsToken);

    /// <summary>Starts to follow changes.</summary>
    /// <param name="apply">Applies a change of the sink's settings; <see cref="SinkConfiguration{TOptions}.Current"/> is the new one already.</param>
    /// <remarks>The first two run on a timer's thread, one at a time.</remarks>
    public void Start(Action<ProcessChange> applyProcess, Action<SinkChange<TOptions>> apply, Action levelsChanged)
    {
        configuration.LevelsChanged = levelsChanged;
        _watch = watch(() => Run(applyProcess, apply));
    }

    /// <summary>Stops. It does not wait for a reload that runs.</summary>
    public void Dispose()
    {
        configuration.LevelsChanged = null;
        _watch?.Dispose();
    }

    private void Run(Action<ProcessChange> applyProcess, Action<SinkChange<TOptions>> apply)
    {
        Reload(applyProcess, apply);
        selfReport.Flush();
    }

    private void Reload(Action<ProcessChange> applyProcess, Action<SinkChange<TOptions>> apply)
    {
        var processChange = process.Reload();
        if (!processChange.IsEmpty)
        {
            applyProcess(processChange);
            if (process.Problems.Count == 0)
                Notify(process.NotifyMonitor);
        }

        var change = configuration.Reload(process.Problems);
        if (change.IsEmpty)
            return;
        apply(change);
        if (!change.ChangesInstances)
            return;
        RenewFilters(apply);
        Notify(Interlocked.Exchange(ref _optionsToken, new ConfigurationReloadToken()).OnReload);
    }

    private void RenewFilters(Action<SinkChange<TOptions>> apply)
    {
        try
        {
            filters.Fire();
        }
        catch (Exception exception)
        {
            // The factory throws at a level name it cannot read, here and at every change of configuration; its rules stay as they were.
            apply(configuration.Keep(new ConfigurationProblem(
                "Logging:LogLevel", null, $"the logger factory rejected its rules: {ConfigurationProblem.Show(exception.GetBaseException())}")));
        }
    }

    private void Notify(Action notify)
    {
        try
        {
            notify();
        }
        catch (Exception exception)
        {
            // Listeners are the application's; here an exception would end the process.
            selfReport.Write(
                LogLevel.Error, "configuration", $"a listener for changed options failed with {exception.GetBaseException().GetType().Name}: {ConfigurationProblem.Show(exception.GetBaseException())}.");
        }
    }
}

/// <summary>Makes the logger factory build its rules again after new settings of a sink were applied.</summary>
internal sealed class FilterChanges<TOptions> : IOptionsChangeTokenSource<LoggerFilterOptions>
    where TOptions : SinkOptions
{
    private ConfigurationReloadToken _token = new();

    public string Name => Options.DefaultName;

    public IChangeToken GetChangeToken() => Volatile.Read(ref _token);

    public void Fire() => Interlocked.Exchange(ref _token, new ConfigurationReloadToken()).OnReload();
}
