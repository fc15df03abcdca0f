namespace AsyncLog.Tests;

/// <summary>The samples of vectors/options.jsonl for this sink.</summary>
public sealed class OptionsVectorTests
{
    public static TheoryData<string> Lines() => OptionsVector.LinesOf("syslog");

    [Theory]
    [MemberData(nameof(Lines))]
    public void Options_are_taken_refused_or_warned_about_as_their_vector_says(string line)
    {
        var vector = OptionsVector.Parse(line);
        var code = vector.Options.Where(static pair => pair.Key.StartsWith("code:", StringComparison.Ordinal)).Select(static pair => pair.Key).ToArray();
        Assert.All(code, static key => Assert.Equal("code:DangerousAcceptAnyServerCertificate", key));
        var values = vector.Options.Where(pair => !code.Contains(pair.Key)).Select(pair => ($"Servers:{vector.Name}:{pair.Key}", (string?)pair.Value))
            .Append(($"Servers:{vector.Name}:MaxQueueLength", "1000"));

        vector.Check("syslog", () => SyslogProvider.Start(values, options => options.Tls.DangerousAcceptAnyServerCertificate = code.Length > 0));
    }
}
