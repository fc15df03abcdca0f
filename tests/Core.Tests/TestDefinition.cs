namespace AsyncLog.Tests;

/// <summary>A definition for tests: the sink and the members that a test changes are given as delegates.</summary>
internal sealed class TestDefinition<TOptions>(string name, Func<TOptions, SinkContext, ILogSink> createSink) : SinkDefinition<TOptions>(name)
    where TOptions : SinkOptions, new()
{
    public string Children { get; init; } = "Instances";

    public string Method { get; init; } = "AddSink";

    public string Destination { get; init; } = "Path";

    public Action<OptionsTable<TOptions>> Rows { get; init; } = static _ => { };

    /// <summary>The default of <see cref="SinkOptions.Main"/>.</summary>
    public bool Main { get; init; } = true;

    public Action<TOptions> Clear { get; init; } = static _ => { };

    public Action<TOptions, InstanceResolution> Resolving { get; init; } = static (_, _) => { };

    public Func<TOptions, string?> UniqueDestination { get; init; } = static _ => null;

    public Func<TOptions, IEnumerable<string>> ReservedNames { get; init; } = static _ => [];

    public Func<TOptions, RecordLayout, RecordLayout> Layout { get; init; } = static (_, layout) => layout;

    public Action<ILogSink, TOptions>? Applying { get; init; }

    public Action<ILogSink> Rolling { get; init; } = static _ => { };

    public Backoff Retry { get; init; } = Backoff.Local;

    public TimeSpan BatchDelay { get; init; }

    public Func<TOptions, string>? Wire { get; init; }

    public override Func<TOptions, string>? WireFormat => Wire;

    public override string ChildrenKey => Children;

    public override string RegistrationMethod => Method;

    public override string DestinationKey => Destination;

    public override bool CanApply => Applying is not null;

    public override ILogSink CreateSink(TOptions options, SinkContext context) => createSink(options, context);

    public override void Describe(OptionsTable<TOptions> table) => Rows(table);

    public override void ReadEnvironment(TOptions options, SinkEnvironment environment) => options.Main = Main;

    public override void ClearDestination(TOptions options) => Clear(options);

    public override void Resolve(TOptions options, InstanceResolution resolution) => Resolving(options, resolution);

    public override string? UniqueDestinationOf(TOptions options) => UniqueDestination(options);

    public override IEnumerable<string> ReservedNamesOf(TOptions options) => ReservedNames(options);

    public override RecordLayout LayoutOf(TOptions options, RecordLayout layout) => Layout(options, layout);

    public override void Apply(ILogSink sink, TOptions options) => Applying?.Invoke(sink, options);

    public override void RollForNewLayout(ILogSink sink) => Rolling(sink);

    public override Backoff BackoffOf(TOptions options) => Retry;

    public override TimeSpan BatchDelayOf(TOptions options) => BatchDelay;
}
