namespace AsyncLog.Tests;

/// <summary>The samples of vectors/options.jsonl for this sink.</summary>
public sealed class OptionsVectorTests
{
    public static TheoryData<string> Lines() => OptionsVector.LinesOf("otlp");

    [Theory]
    [MemberData(nameof(Lines))]
    public void Options_are_taken_refused_or_warned_about_as_their_vector_says(string line)
    {
        var vector = OptionsVector.Parse(line);
        var values = vector.Options.Select(pair => ($"Logging:AsyncOtlp:Collectors:{vector.Name}:{pair.Key}", (string?)pair.Value))
            .Append(($"Logging:AsyncOtlp:Collectors:{vector.Name}:ShutdownTimeout", "1s"));

        vector.Check("otlp", () => OtlpProvider.Start(values));
    }
}
