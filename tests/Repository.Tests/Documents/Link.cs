namespace AsyncLog.Tests.Documents;

/// <summary>A link of a document.</summary>
/// <param name="Path">The document, relative to the repository.</param>
/// <param name="Line">The line, from 1.</param>
/// <param name="Target">What it links to, as it is written.</param>
internal sealed record Link(string Path, int Line, string Target)
{
    public override string ToString() => $"{Path}:{Line}: {Target}";
}
