namespace AsyncLog.Tests;

/// <summary>Text that one thread writes while another reads it.</summary>
internal sealed class SharedText
{
    private readonly StringWriter _text = new();

    public SharedText() => Writer = TextWriter.Synchronized(_text);

    /// <summary>Takes itself as the lock of every call.</summary>
    public TextWriter Writer { get; }

    public override string ToString()
    {
        lock (Writer)
            return _text.ToString();
    }
}
