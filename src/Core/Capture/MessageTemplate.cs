namespace AsyncLog;

/// <summary>A parsed message template: literals as UTF-8 and the holes between them. Immutable.</summary>
internal sealed class MessageTemplate(string text, MessagePart[] parts, string[] names)
{
    /// <summary>The template as it was written.</summary>
    public string Text { get; } = text;

    /// <summary>Literals and holes in order; the holes are numbered in order of appearance.</summary>
    public MessagePart[] Parts { get; } = parts;

    /// <summary>Whether all literals are printable ASCII.</summary>
    public bool IsPlain { get; } = Array.TrueForAll(
        parts, static part => part.LiteralText is null && !part.Literal.Span.ContainsAnyExceptInRange((byte)' ', (byte)'~'));

    /// <summary>The name of each hole.</summary>
    public string[] Names { get; } = names;
}
