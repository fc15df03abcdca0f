using AsyncLog.Tests.Configuration;

namespace AsyncLog.Tests.Vectors;

/// <summary>The lines of vectors/options.jsonl for this sink.</summary>
public sealed class OptionsVectorTests
{
    public static TheoryData<string> Lines() => OptionsVector.LinesOf("syslog");

    [Theory]
    [MemberData(nameof(Lines))]
    public void Options_are_taken_refused_or_warned_about_as_their_vector_says(string line)
    {
        var vector = OptionsVector.Parse(line);
        var values = vector.Configured.Select(pair => ($"Servers:{vector.Name}:{pair.Key}", pair.Value));

        vector.Check<AsyncSyslogLoggerProvider, AsyncSyslogLoggerOptions>("syslog", configure => SyslogProvider.Start([("Main", "false"), .. values, ($"Servers:{vector.Name}:ShutdownTimeout", "1s")], configure));
    }
}
