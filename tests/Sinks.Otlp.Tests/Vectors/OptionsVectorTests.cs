using AsyncLog.Tests.Configuration;

namespace AsyncLog.Tests.Vectors;

/// <summary>The lines of vectors/options.jsonl for this sink.</summary>
public sealed class OptionsVectorTests
{
    public static TheoryData<string> Lines() => OptionsVector.LinesOf("otlp");

    [Theory]
    [MemberData(nameof(Lines))]
    public void Options_are_taken_refused_or_warned_about_as_their_vector_says(string line)
    {
        var vector = OptionsVector.Parse(line);
        var section = $"Logging:AsyncOtlp:Collectors:{vector.Name}:";
        var values = vector.Configured.Select(pair => (section + pair.Key, pair.Value)).Prepend((section + "ShutdownTimeout", "1s")).Prepend(("Logging:AsyncOtlp:Main", "false"));

        vector.Check<AsyncOtlpLoggerProvider, AsyncOtlpLoggerOptions>("otlp", configure => OtlpProvider.Start(values, configure: configure));
    }
}
