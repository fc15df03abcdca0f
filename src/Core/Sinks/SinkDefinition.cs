namespace AsyncLog;

/// <summary>Describes a kind of sink to AsyncLog: its name, its options, how it is made and changed. A sink derives a class from it and overrides what differs
/// from the defaults.</summary>
/// <typeparam name="TOptions">The sink's options class. It belongs to one sink: a second provider with the same class is refused.</typeparam>
/// <param name="name">The type in names of instances: <c>file</c> in <c>file/errors</c>.</param>
/// <remarks>One object serves every instance of a container. Its members are called at the start and at each reload, never while a record is logged.
/// An exception at the start ends the start; during a reload the instance keeps its settings.</remarks>
internal abstract class SinkDefinition<TOptions>(string name)
    where TOptions : SinkOptions, new()
{
    /// <summary>The type in names of instances: <c>file</c> in <c>file/errors</c>.</summary>
    public string Name { get; } = name;

    /// <summary>The key under which named instances stand.</summary>
    /// <value>Default <c>Instances</c>.</value>
    public virtual string ChildrenKey => "Instances";

    /// <summary>The registration method, for messages about mistakes in code.</summary>
    public abstract string RegistrationMethod { get; }

    /// <summary>The option with the destination of records, for messages about two instances with one destination.</summary>
    /// <value>Default <c>Path</c>. Empty: any option of the sink's own may be it.</value>
    public virtual string DestinationKey => "Path";

    /// <summary>The layout when <see cref="SinkOptions.Format"/> is null.</summary>
    /// <value>Default <c>Text</c>.</value>
    public virtual string DefaultFormat => "Text";

    /// <summary>The layouts that may be chosen, besides formatters registered by name.</summary>
    /// <value>Default <c>Text</c>, <c>Json</c> and <c>Clef</c>. With a name of the sink's own <see cref="SinkOptions.Template"/> is allowed: a layout that makes
    /// nothing of it excludes the key (<see cref="OptionsTable{TOptions}.Exclude"/>).</value>
    public virtual IReadOnlyList<string> Formats => ["Text", "Json", "Clef"];

    /// <summary>True if <see cref="SinkOptions.Format"/> may also name a formatter that the application registered.</summary>
    /// <value>Default true; false for a sink whose wire form is its own.</value>
    public virtual bool AcceptsFormatters => true;

    /// <summary>True if <see cref="Apply"/> gives a running sink new options.</summary>
    /// <value>Default false: every change of the sink's own options rebuilds the instance.</value>
    public virtual bool CanApply => false;

    /// <summary>Returns what identifies the wire format of a record besides its layout: framing, version of an encoding. Records on the disk with another text are not sent.</summary>
    /// <value>Default null: <see cref="SinkOptions.SpoolPath"/> is refused. A sink that sends to a server returns a text without secrets, the same in every process
    /// with the same options.</value>
    public virtual Func<TOptions, string>? WireFormat => null;

    /// <summary>Makes the sink of one instance. Opens nothing: see <see cref="IOpenableLogSink"/>.</summary>
    /// <param name="options">The options of the instance, checked and resolved; they do not change any more.</param>
    /// <param name="context">Name, clock and diagnostics of the instance.</param>
    public abstract ILogSink CreateSink(TOptions options, SinkContext context);

    /// <summary>Adds the sink's own options to the table of known keys.</summary>
    public virtual void Describe(OptionsTable<TOptions> table)
    {
    }

    /// <summary>Sets options from sources that every section and all code override: environment variables. Called on each new options object, at every reload too.</summary>
    public virtual void ReadEnvironment(TOptions options, SinkEnvironment environment)
    {
    }

    /// <summary>Resets the options that a named instance does not inherit: the destination. Called after the section's values and before the instance's own.</summary>
    public virtual void ClearDestination(TOptions options)
    {
    }

    /// <summary>Returns the server of the options, which may not be resolved or valid yet. An instance gets the credentials (<see cref="OptionsTable{TOptions}.Credential"/>)
    /// of the variables or of its section only if its server is the one that these name.</summary>
    /// <returns>Scheme, host and port; null if no server is chosen. By default null: credentials are inherited like other options.</returns>
    public virtual string? ServerOf(TOptions options) => null;

    /// <summary>Turns configured texts into values (paths) once all options of the instance are known.</summary>
    public virtual void Resolve(TOptions options, InstanceResolution resolution)
    {
    }

    /// <summary>Returns the destination after <see cref="Resolve"/> when no two instances may have the same.</summary>
    /// <returns>By default null: sharing is allowed.</returns>
    public virtual string? UniqueDestinationOf(TOptions options) => null;

    /// <summary>Returns further values that no two instances may share after <see cref="Resolve"/>: names of files made beside the destination. A conflict
    /// shows the name to the user.</summary>
    public virtual IEnumerable<string> ReservedNamesOf(TOptions options) => [];

    /// <summary>Returns the two or three bounds that matter, for the start-up line: <c>text, roll Day or 100 MB, keep 31</c>.</summary>
    /// <returns>By default null: the format.</returns>
    public virtual string? Summarize(TOptions options) => null;

    /// <summary>Refines the layout that the common options give.</summary>
    public virtual RecordLayout LayoutOf(TOptions options, RecordLayout layout) => layout;

    /// <summary>Gives a running sink new options, on its worker: between two batches, or between two attempts at one that failed. Called only if <see cref="CanApply"/> is true.</summary>
    public virtual void Apply(ILogSink sink, TOptions options)
    {
    }

    /// <summary>Begins a new file, because the layout changes with the next record. By default layouts may change in the stream.</summary>
    public virtual void RollForNewLayout(ILogSink sink)
    {
    }

    /// <summary>Returns the delays between attempts after a failure.</summary>
    /// <returns>By default <see cref="Backoff.Local"/>.</returns>
    public virtual Backoff BackoffOf(TOptions options) => Backoff.Local;

    /// <summary>Returns how long the worker leaves a segment open to fill it, unless a record at level Error or <see cref="SinkOptions.AcknowledgeLevel"/>, a flush or a shutdown comes.</summary>
    /// <returns>By default zero: the worker takes all that is there each time it wakes.</returns>
    public virtual TimeSpan BatchDelayOf(TOptions options) => TimeSpan.Zero;

    /// <summary>Returns the largest batch in bytes that the sink prefers; bounded by a tenth of <see cref="SinkOptions.MaxQueueMemory"/> and 4 MB.</summary>
    /// <returns>By default 0: 64 KB.</returns>
    public virtual int SegmentSizeOf(TOptions options) => 0;
}
