namespace AsyncLog;

/// <summary>Everything that decides how a record looks; compares by value.</summary>
internal sealed record OtlpLayout : SinkLayout
{
    /// <summary>Whether the body is the message; else the template, where there is one.</summary>
    public bool IncludeFormattedMessage { get; init; } = true;

    public bool IncludeTemplate { get; init; } = true;

    public int AttributeCountLimit { get; init; } = 128;

    /// <summary>The most UTF-16 units of a string in a value.</summary>
    public int AttributeValueLengthLimit { get; init; } = int.MaxValue;

    /// <summary>The layout that valid options ask for.</summary>
    public static OtlpLayout From(AsyncOtlpOptions options) => new()
    {
        IncludeFormattedMessage = options.IncludeFormattedMessage,
        IncludeTemplate = options.IncludeTemplate,
        AttributeCountLimit = options.AttributeCountLimit ?? int.MaxValue,
        AttributeValueLengthLimit = options.AttributeValueLengthLimit ?? int.MaxValue,
    };

    /// <inheritdoc/>
    public override ILogFormatter CreateFormatter(RecordLayout layout, LogTemplate? template, TimeProvider timeProvider) =>
        new OtlpFormatter(this, layout.MaxRecordSize, layout.IncludeScopes ?? true);
}
