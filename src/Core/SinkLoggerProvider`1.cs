using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>The provider of one sink type. A sink derives a class without members from it, which carries the alias.</summary>
/// <typeparam name="TOptions">The sink's options class.</typeparam>
internal abstract class SinkLoggerProvider<TOptions> : SinkLoggerProvider
    where TOptions : SinkOptions, new()
{
    private readonly SinkServices<TOptions> _services;
    private readonly InstanceServices _instanceServices;
    private readonly FormatterCache _formatters;
    private readonly ConfigurationReport _report;

    // Serializes reloads; never taken at shutdown, which must not wait for a destination that hangs when it is opened. Readers use the list without it.
    private readonly Lock _changing = new();
    private List<InstanceHost<TOptions>> _hosts = [];
    private ITimer? _retry;
    private bool _isStopped;

    /// <summary>Starts every configured instance.</summary>
    /// <param name="services">From the container.</param>
    /// <exception cref="Microsoft.Extensions.Options.OptionsValidationException">The configuration is not valid; the message lists every problem.</exception>
    private protected SinkLoggerProvider(SinkServices<TOptions> services)
        : this(services, new InstanceServices(services.TimeProvider, services.Application, services.SelfReport, new CategoryTable(), services.Sampler.Histograms) { Random = services.Random })
    {
    }

    private SinkLoggerProvider(SinkServices<TOptions> services, InstanceServices instanceServices)
        : base(instanceServices, services.Sampler, services.Objects)
    {
        _services = services;
        _instanceServices = instanceServices;
        _formatters = new FormatterCache(services.Formatters, services.Application, services.TimeProvider);
        _report = new ConfigurationReport(services.SelfReport);
        services.ThrowIfInvalid();
        _report.UnknownKeys(services.Process.UnknownKeys.Concat(services.Configuration.Current.UnknownKeys));
        if (services.Configuration.Current.SwitchedOff is { } reason)
            services.SelfReport.Write(LogLevel.Information, services.Definition.Name, $"switched off: {reason}");
        try
        {
            Start();
        }
        catch (Exception)
        {
            services.Reload.Dispose();
            EndStarted();
            throw;
        }
        finally
        {
            services.SelfReport.Flush();
        }
    }

    private protected override InstanceMonitor[] Monitors => [.. Volatile.Read(ref _hosts).Select(static host => host.Monitor)];

    internal override IEnumerable<string> UnknownKeys
        => _services.Process.UnknownKeys.Concat(_services.Configuration.Current.UnknownKeys).Where(static key => !key.IsUsed).Select(static key => key.Path);

    internal override IEnumerable<(string Sink, Notice Line)> StartupLines()
        => Volatile.Read(ref _hosts).Where(static host => host.Instance.Pipeline is not null).Select(static host => (host.Instance.State.Name, host.StartupNotice()));

    private protected override LogLevel MinimumLevel(SinkInstance instance, string category)
    {
        var host = Volatile.Read(ref _hosts).Find(host => ReferenceEquals(host.Instance, instance));
        return host is null ? LogLevel.None : _services.Configuration.MinimumLevel(host.Settings, category);
    }

    private protected override EffectiveLevel EffectiveLevel(SinkInstance instance, string category)
    {
        var host = Volatile.Read(ref _hosts).Find(host => ReferenceEquals(host.Instance, instance));
        return host is null ? new EffectiveLevel(LogLevel.None, "") : _services.Configuration.EffectiveLevel(host.Settings, category);
    }

    private protected override void StopReload()
    {
        // A full barrier, as where the list is replaced: either the shutdown sees an instance that was added, or the reload sees the shutdown.
        Interlocked.Exchange(ref _isStopped, true);
        Volatile.Read(ref _retry)?.Dispose();
        _services.Reload.Dispose();
        Volatile.Read(ref _hosts).ForEach(static host => host.AbandonOpening());
    }

    private void Start()
    {
        foreach (var settings in _services.Configuration.Current.Instances)
            _hosts.Add(Create(settings, isReload: false));
        if (!_services.HasHost && _services.Process.AtStart.StartupReport)
            _hosts.FindAll(TakesStartupLine).ForEach(static host => host.AnnounceStart());
        ReportStart();
        WatchProcess(_services.Process.AtStart, _services.HasHost && !_services.IsStartup);
        _services.Reload.Start(ApplyProcess, Apply, Replan);
        _services.Sampler.Add(Sampled);
        if (!_services.HasHost)
            _services.Sampler.Start(meters: null);
    }

    // On a timer's thread, one reload at a time. A destination that cannot be opened leaves its instance as it was.
    private void Apply(SinkChange<TOptions> change)
    {
        lock (_changing)
        {
            if (_isStopped)
                return;
            _report.UnknownKeys(change.NewUnknownKeys.Where(key => key.Category is not { } category || !HasLogger(category)));
            // Process-wide problems were reported by the provider that found them first.
            _report.Problems(change.NewProblems.Except(_services.Process.Problems));
            _report.Solved(change.SolvedProblems, isInForce: change.Settings.Problems.Count == 0);
            var hosts = new List<InstanceHost<TOptions>>(_hosts);
            foreach (var settings in change.Added)
                Try(settings, () => Add(settings, hosts));
            foreach (var changed in change.Changed)
                Try(changed.New, () => Change(changed, hosts));
            var removed = hosts.FindAll(host => change.Removed.Any(settings => host.Is(settings.Name)));
            removed.ForEach(static host => host.Retire());
            var added = hosts.Except(_hosts).ToList();
            Interlocked.Exchange(ref _hosts, hosts);
            if (_isStopped)
                added.ForEach(static host => host.Stop());
            SetProblems(change.Settings);
            // No logger offers a record to an instance any more before it closes.
            Replan();
            removed.ForEach(static host => host.Stop());
            Settle();
        }
    }

    // A destination that could not be opened is tried again without another edit.
    private void Settle()
    {
        _formatters.Keep(_hosts.Select(static host => host.Settings.Layout));
        if (_isStopped)
            _hosts.ForEach(static host => host.AbandonOpening());
        if (_hosts.Min(static host => host.RetryDelay) is not { } delay || _isStopped)
            return;
        if (_retry is null)
            Interlocked.Exchange(ref _retry, TimeProvider.System.CreateTimer(static state => ((SinkLoggerProvider<TOptions>)state!).TryAgain(), this, delay, Timeout.InfiniteTimeSpan));
        else
            _retry.Change(delay, Timeout.InfiniteTimeSpan);
    }

    private void TryAgain()
    {
        lock (_changing)
        {
            if (_isStopped)
                return;
            foreach (var host in _hosts)
                Try(host.Settings, () => host.TryAgain(_instanceServices.SelfReport));
            Replan();
            Settle();
        }
    }

    private void ApplyProcess(ProcessChange change)
    {
        if (change.SelfReport is { } level)
            _services.SelfReport.Use(level);
        _report.UnknownKeys(change.NewUnknownKeys);
        _report.Problems(change.NewProblems);
        _report.NextStart(change.NextStartKeys);
    }

    // Sinks and their descriptions are foreign code, and an exception here would end the process.
    private void Try(InstanceSettings<TOptions> settings, Action apply)
    {
        try
        {
            apply();
        }
        catch (Exception exception)
        {
            _instanceServices.SelfReport.Write(
                LogLevel.Error,
                $"{_services.Definition.Name}/{settings.Name}",
                $"the change cannot be applied: {LogSinkException.TextOf(exception)} ({LogSinkException.TypeOf(exception)}). The old settings remain in effect.");
        }
    }

    private void Change(InstanceChange<TOptions> change, List<InstanceHost<TOptions>> hosts)
    {
        if (hosts.Find(host => host.Is(change.New.Name)) is { } host)
            host.Apply(change, _instanceServices.SelfReport);
        else
            Add(change.New, hosts);
    }

    // An instance that comes back keeps its counters.
    private void Add(InstanceSettings<TOptions> settings, List<InstanceHost<TOptions>> hosts)
    {
        var known = hosts.Find(host => host.Is(settings.Name));
        if (known is null)
            hosts.Add(Create(settings, isReload: true));
        else
            known.Restart(settings);
    }

    private InstanceHost<TOptions> Create(InstanceSettings<TOptions> settings, bool isReload)
    {
        var host = new InstanceHost<TOptions>(_services.Definition, _services.Configuration, settings, _instanceServices, _formatters, _services.SurvivalFiles, isReload);
        if (InstanceName.IsDefault(settings.Name) && _services.Definition.WireFormat is not null)
            host.Instance.State.Advice = () => AdviceFor(host);
        return host;
    }

    // The section is an instance beside its named ones, also if nobody chose its server.
    private string? AdviceFor(InstanceHost<TOptions> main)
    {
        var names = _services.Configuration.Names;
        return !main.Settings.HasChosenDestination && Volatile.Read(ref _hosts).Exists(host => host != main && host.Instance.Pipeline is not null && !host.Instance.State.Health.IsFailing)
            ? $"If only the named {names.ChildrenKey} are meant, set {names.Section}:{nameof(SinkOptions.Main)} to false."
            : null;
    }

    private void SetProblems(SinkSettings<TOptions> settings)
    {
        foreach (var host in _hosts)
            host.Instance.State.ConfigurationProblem = settings.ProblemOf(host.Settings.Name);
    }

    // By the levels of the section and the instance: the rules of the logger factory are not known yet. A file of errors does not begin with an informational line.
    private bool TakesStartupLine(InstanceHost<TOptions> host)
        => MinimumLevel(host.Instance, Notice.Category) <= LogLevel.Information && (host.Settings.Options.MaxLevel ?? LogLevel.Critical) >= LogLevel.Information;

    private void ReportStart()
    {
        if (!_services.SelfReport.IsEnabled(LogLevel.Information))
            return;
        foreach (var (sink, line) in StartupLines())
            _services.SelfReport.Write(LogLevel.Information, sink, $"{line}.");
    }
}
