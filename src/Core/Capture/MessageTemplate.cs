namespace AsyncLog;

/// <summary>A parsed message template: literals as UTF-8 and the holes between them. Immutable but for the proof.</summary>
internal sealed class MessageTemplate(MessagePart[] parts, string[] names)
{
    private volatile int _proof;

    /// <summary>Literals and holes in order; the holes are numbered in order of appearance.</summary>
    public MessagePart[] Parts { get; } = parts;

    /// <summary>The name of each hole.</summary>
    public string[] Names { get; } = names;

    /// <summary>Whether a state of MEL's own was seen to use these names in this order; null before the first look.</summary>
    public bool? Proven
    {
        get => _proof switch { 0 => null, 1 => true, _ => false };
        set => _proof = value == true ? 1 : 2;
    }
}
