using AsyncLog.Tests.Vectors;

namespace AsyncLog.Tests.Options;

/// <summary>The lines of vectors/options.jsonl for this sink.</summary>
public sealed class OptionsVectorTests
{
    public static TheoryData<string> Lines() => OptionsVector.LinesOf("file");

    [Theory]
    [MemberData(nameof(Lines))]
    public void Options_are_taken_refused_or_warned_about_as_their_vector_says(string line)
    {
        var vector = OptionsVector.Parse(line);
        var section = $"Logging:AsyncFile:Files:{vector.Name}:";
        var values = vector.Configured.Select(pair => (section + pair.Key, pair.Value)).Prepend((section + "ShutdownTimeout", "1s"));

        vector.Check<AsyncFileLoggerProvider, AsyncFileLoggerOptions>("file", configure => new(static create => new FileSinkDefinition(new AsyncFileControl(), createSink: create), values, configure));
    }
}
