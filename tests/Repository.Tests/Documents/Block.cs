using Xunit.Sdk;

namespace AsyncLog.Tests.Documents;

/// <summary>A fenced block of a document.</summary>
public sealed class Block : IXunitSerializable
{
    public Block()
    {
    }

    internal Block(string path, int line, string heading, string language, string text)
        => (Path, Line, Heading, Language, Text) = (path, line, heading, language, text);

    /// <summary>The document, relative to the repository.</summary>
    public string Path { get; private set; } = "";

    /// <summary>The line of the fence, from 1.</summary>
    public int Line { get; private set; }

    /// <summary>The last heading before it.</summary>
    public string Heading { get; private set; } = "";

    /// <summary>The first word after the fence.</summary>
    public string Language { get; private set; } = "";

    /// <summary>What stands between the fences, each line with its end.</summary>
    public string Text { get; private set; } = "";

    public override string ToString() => $"{Path}:{Line}";

    public void Deserialize(IXunitSerializationInfo info)
    {
        Path = info.GetValue<string>(nameof(Path))!;
        Line = info.GetValue<int>(nameof(Line));
        Heading = info.GetValue<string>(nameof(Heading))!;
        Language = info.GetValue<string>(nameof(Language))!;
        Text = info.GetValue<string>(nameof(Text))!;
    }

    public void Serialize(IXunitSerializationInfo info)
    {
        info.AddValue(nameof(Path), Path);
        info.AddValue(nameof(Line), Line);
        info.AddValue(nameof(Heading), Heading);
        info.AddValue(nameof(Language), Language);
        info.AddValue(nameof(Text), Text);
    }
}
