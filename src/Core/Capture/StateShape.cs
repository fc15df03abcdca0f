namespace AsyncLog;

/// <summary>Names and template of a <c>LoggerMessage.Define</c> call, found by the reference of MEL's formatter object that every state of it carries.</summary>
internal sealed class StateShape(object owner, string[] names, string text, MessageTemplate? template)
{
    public readonly object Owner = owner;

    public readonly string[] Names = names;

    /// <summary>The template as it was written.</summary>
    public readonly string Text = text;

    /// <summary>The parsed template; null when the formatter has the word.</summary>
    public readonly MessageTemplate? Template = template;
}
