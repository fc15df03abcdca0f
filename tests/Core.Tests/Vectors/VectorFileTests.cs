using System.Text;
using System.Text.Json;

namespace AsyncLog.Tests.Vectors;

/// <summary>The form of vectors/*.jsonl, and that every line of them has a runner.</summary>
public sealed class VectorFileTests
{
    // A line of one of these is taken by every runner of its file. Where a field decides who takes it, these are the values that have a runner.
    private static readonly Dictionary<string, Func<JsonElement, bool>> Files = new(StringComparer.Ordinal)
    {
        ["health.jsonl"] = static vector => vector.GetProperty("events").TextOf("sink", null) is "syslog" or "otlp",
        ["odd.jsonl"] = static _ => true,
        ["options.jsonl"] = static vector => vector.TextOf("sink", null) is "syslog" or "otlp" or "file",
        ["otlp-config.jsonl"] = static _ => true,
        ["otlp-records.jsonl"] = static _ => true,
        ["otlp-requests.jsonl"] = static _ => true,
        ["otlp-transport.jsonl"] = static vector => vector.TextOf("transport", null) is "http" or "grpc",
        ["syslog-framing.jsonl"] = static vector => vector.TextOf("framing", null) is "octet" or "lf" or "tls" or "udp",
        ["syslog-records.jsonl"] = static _ => true,
        ["syslog-sockets.jsonl"] = static _ => true,
        ["values.jsonl"] = static _ => true,
    };

    [Fact]
    public void Every_file_has_a_runner()
    {
        var files = Directory.EnumerateFiles(VectorFile.Folder, "*.jsonl", SearchOption.AllDirectories).Select(Path.GetFileName).Distinct();

        Assert.Equal(Files.Keys.Order(StringComparer.Ordinal), files.Order(StringComparer.Ordinal));

        // A runner asks for the lines of its file by name, or for those of one sink.
        string[] sinksOfOptions = ["syslog", "otlp", "file"], sinksOfHealth = ["syslog", "otlp"];
        var calls = files.Where(static file => file is not ("options.jsonl" or "health.jsonl")).Select(static file => $"VectorFile.Lines(\"{file}\")")
            .Concat(sinksOfOptions.Select(static sink => $"OptionsVector.LinesOf(\"{sink}\")"))
            .Concat(sinksOfHealth.Select(static sink => $"HealthVector.LinesOf(\"{sink}\")"));
        var runners = Directory.EnumerateFiles(Path.Combine(Repository.Root, "tests"), "*VectorTests.cs", SearchOption.AllDirectories)
            .Select(static path => File.ReadAllText(path)).ToList();
        Assert.Empty(calls.Where(call => !runners.Exists(runner => runner.Contains(call, StringComparison.Ordinal))));
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void Every_line_is_one_object_in_ASCII_with_an_id_of_its_own_and_has_a_runner(string name)
    {
        HashSet<string> ids = new(StringComparer.Ordinal);
        foreach (var line in VectorFile.Lines(name))
        {
            Assert.True(Ascii.IsValid(line), line);
            var vector = JsonDocument.Parse(line, new JsonDocumentOptions { AllowDuplicateProperties = false }).RootElement;
            Assert.True(ids.Add(vector.TextOf("id", null)!), line);
            Assert.NotEmpty(vector.GetProperty("req").EnumerateArray());
            Assert.NotEqual("", vector.TextOf("what", ""));
            Assert.True(Files[name](vector), "no runner takes it: " + line);
        }

        Assert.NotEmpty(ids);
    }

    public static TheoryData<string> Names() => [.. Files.Keys];
}
