namespace AsyncLog;

/// <summary>Describes a kind of sink to AsyncLog: its name, its options, how it is made and changed.</summary>
/// <typeparam name="TOptions">The sink's options class.</typeparam>
/// <param name="name">The type in names of instances: <c>file</c> in <c>file/errors</c>.</param>
/// <param name="createSink">Makes the sink of one instance. Opens nothing: see <see cref="IOpenableLogSink"/>.</param>
public sealed class SinkType<TOptions>(string name, Func<TOptions, SinkContext, ILogSink> createSink)
    where TOptions : SinkOptions, new()
{
    /// <summary>The type in names of instances: <c>file</c> in <c>file/errors</c>.</summary>
    public string Name { get; } = name;

    /// <summary>Makes the sink of one instance.</summary>
    public Func<TOptions, SinkContext, ILogSink> CreateSink { get; } = createSink;

    /// <summary>The key under which named instances stand.</summary>
    /// <value>Default <c>Instances</c>.</value>
    public string ChildrenKey { get; init; } = "Instances";

    /// <summary>The registration method, for messages about mistakes in code.</summary>
    /// <value>Default <c>AddSink</c>.</value>
    public string RegistrationMethod { get; init; } = "AddSink";

    /// <summary>Adds the sink's own options to the table of known keys.</summary>
    public Action<SinkOptionsTable<TOptions>>? Describe { get; init; }

    /// <summary>The layout when <see cref="SinkOptions.Format"/> is null.</summary>
    /// <value>Default <c>Text</c>.</value>
    public string DefaultFormat { get; init; } = "Text";

    /// <summary>The layouts that may be chosen, besides formatters registered by name.</summary>
    /// <value>Default <c>Text</c>, <c>Json</c> and <c>Clef</c>. With a name of the sink's own <see cref="SinkOptions.Template"/> is allowed: a layout that makes
    /// nothing of it excludes the key (<see cref="SinkOptionsTable{TOptions}.Exclude"/>).</value>
    public IReadOnlyList<string> Formats { get; init; } = ["Text", "Json", "Clef"];

    /// <summary>Whether <see cref="SinkOptions.Format"/> may also name a formatter that the application registered.</summary>
    /// <value>Default true; false for a sink whose wire form is its own.</value>
    public bool AcceptsFormatters { get; init; } = true;

    /// <summary>The option that says where records go, for messages about two instances with one destination.</summary>
    /// <value>Default <c>Path</c>.</value>
    public string TargetKey { get; init; } = "Path";

    /// <summary>Whether the section itself is an instance beside its named ones. Without named instances it always is.</summary>
    /// <value>Default null: it is. A sink whose destination has to be configured answers whether it is.</value>
    public Func<TOptions, bool>? HasDefault { get; init; }

    /// <summary>
    /// Called on the options of a named instance after the section's values and before its own, to take back what is not inherited: the destination.
    /// </summary>
    public Action<TOptions>? ForgetTarget { get; init; }

    /// <summary>Sets options from what is weaker than every section and all code: variables. Called on each new options object, at every reload too.</summary>
    public Action<TOptions, SinkEnvironment>? ReadEnvironment { get; init; }

    /// <summary>Turns configured texts into values (paths) once all options of the instance are known.</summary>
    public Action<TOptions, InstanceResolution>? Resolve { get; init; }

    /// <summary>The destination after <see cref="Resolve"/>, when no two instances may have the same; null where sharing is fine.</summary>
    public Func<TOptions, string?>? UniqueTarget { get; init; }

    /// <summary>What else after <see cref="Resolve"/> no two instances may have in common: names of files made beside the destination. Each is shown to the
    /// user when two clash. Null: nothing.</summary>
    public Func<TOptions, IEnumerable<string>>? FurtherClaims { get; init; }

    /// <summary>The two or three bounds that matter, for the start-up line: <c>text, roll Day or 100 MB, keep 31</c>.</summary>
    public Func<TOptions, string>? Summary { get; init; }

    /// <summary>Refines the layout that the common options give.</summary>
    public Func<TOptions, RecordLayout, RecordLayout>? Layout { get; init; }

    /// <summary>Gives a running sink new options, on its worker, between batches. Null: every change of the sink's own options rebuilds the instance.</summary>
    public Action<ILogSink, TOptions>? Apply { get; init; }

    /// <summary>Sends a running sink, whose destination is away, to that of new options, with all that waits for it. Called on a reload that would make
    /// another sink, by its thread, while the worker goes on; only if layout and queue stay the same.</summary>
    /// <value>Null: another sink is made, and what waits stays with the old one. So it is when this returns false.</value>
    public Func<ILogSink, TOptions, bool>? Redirect { get; init; }

    /// <summary>Delays between attempts after a failure.</summary>
    /// <value>Default <see cref="AsyncLog.Backoff.Local"/>.</value>
    public Func<TOptions, Backoff>? Backoff { get; init; }

    /// <summary>How long the worker leaves a segment open to fill it, unless a record at <see cref="SinkOptions.FlushLevel"/>, a flush or a shutdown comes.</summary>
    /// <value>Default zero: the worker takes whatever is there each time it wakes.</value>
    public Func<TOptions, TimeSpan>? BatchDelay { get; init; }

    /// <summary>The largest batch in bytes that the sink would like; bounded by a tenth of <see cref="SinkOptions.MaxQueueMemory"/> and 4 MB.</summary>
    /// <value>Default 64 KB.</value>
    public Func<TOptions, int>? SegmentSize { get; init; }

    /// <summary>Begins a new file, because the layout changes with the next record. Null: layouts may change in the stream.</summary>
    public Action<ILogSink>? RollForNewLayout { get; init; }
}
