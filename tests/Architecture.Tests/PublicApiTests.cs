using System.Reflection;

namespace AsyncLog.Architecture;

/// <summary>What users compile against changes on purpose only: with the snapshot, and with the changelog.</summary>
public sealed class PublicApiTests
{
    public static TheoryData<string> Assemblies => new("AsyncLog", "AsyncLog.Console", "AsyncLog.File", "AsyncLog.Syslog", "AsyncLog.Otlp", "AsyncLog.AspNetCore");

    [Theory]
    [MemberData(nameof(Assemblies))]
    public void The_public_API_is_that_of_the_snapshot(string assembly)
    {
        var snapshot = Path.Combine(Repository.Root, "tests", "Architecture.Tests", $"PublicApi.{assembly}.txt");
        var actual = PublicApi.Of(Assembly.Load(assembly));
        if (Environment.GetEnvironmentVariable("ASYNCLOG_ACCEPT_API") == "1")
            File.WriteAllLines(snapshot, actual);
        var expected = File.Exists(snapshot) ? File.ReadAllLines(snapshot) : [];
        var changes = expected.Except(actual, StringComparer.Ordinal).Select(static line => "- " + line)
            .Concat(actual.Except(expected, StringComparer.Ordinal).Select(static line => "+ " + line)).ToList();
        Assert.True(
            changes.Count == 0,
            $"The public API of {assembly} changed. ASYNCLOG_ACCEPT_API=1 writes the snapshot; CHANGELOG.md names what changed.\n{string.Join('\n', changes)}");
        Assert.Equal(expected, actual);
    }
}
