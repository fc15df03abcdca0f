using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.Configuration;

namespace AsyncLog;

/// <summary>Describes a sink of others, which is a class with an alias and a class of options.</summary>
/// <param name="alias">The alias of the class.</param>
/// <param name="create">Makes a sink.</param>
/// <param name="bind">Binds the author's options.</param>
internal sealed class CustomSinkDefinition<TSink, [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicProperties)] TOptions>(
    string alias, Func<TOptions, SinkContext, TSink> create, Action<IConfiguration, TOptions> bind) : SinkDefinition<TOptions>(alias.ToLowerInvariant())
    where TSink : class, ILogSink
    where TOptions : SinkOptions, new()
{
    // A destination that is back takes the next record soon, and one that is away for long is asked seldom, by many processes at different times.
    private static readonly Backoff Retries = new(Backoff.Local.First, TimeSpan.FromSeconds(30), HasJitter: true);

    public override string RegistrationMethod => $"AddAsyncLogSink<{typeof(TSink).Name}>";

    public override string DestinationKey => "";

    // Name and layout identify the records on the disk.
    public override Func<TOptions, string> WireFormat { get; } = static _ => "";

    public override ILogSink CreateSink(TOptions options, SinkContext context) => create(options, context);

    public override void Describe(OptionsTable<TOptions> table) => new OptionBinding<TOptions>(bind).AddTo(table, typeof(TOptions).GetProperties());

    public override Backoff BackoffOf(TOptions options) => Retries;
}
