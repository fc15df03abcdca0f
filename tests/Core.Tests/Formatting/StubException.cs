namespace AsyncLog.Tests.Formatting;

/// <summary>An exception with a text of its own.</summary>
internal sealed class StubException(string text) : Exception
{
    public override string ToString() => text;
}
