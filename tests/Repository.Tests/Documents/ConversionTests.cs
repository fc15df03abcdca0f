using System.Text.RegularExpressions;

namespace AsyncLog.Tests.Documents;

/// <summary>Configurations as the documentation of Serilog and NLog shows them, and the same for AsyncLog: the output differs in what the pages name and nothing else.</summary>
public sealed partial class ConversionTests(ConversionPrograms programs) : IClassFixture<ConversionPrograms>
{
    private const string Fields = "json-members";
    private const string Object = """{"Id":5,"Customer":"Ann"}""";

    private static readonly string[] Pages = ["serilog", "nlog"];

    // By the name in the table of the page: what becomes of a text of the other library.
    private static readonly (string Library, string Name, Func<string, string> Translate)[] Differences =
    [
        ("serilog", "properties-text", static record => PropertiesOfSerilog().Replace(record, static match => match.Groups["tenant"].Success ? " Tenant=acme" : " ")),
        ("serilog", "object-text", static record => ObjectOfSerilog().Replace(record, Object)),
        ("serilog", "quoted-texts", static record => record.StartsWith('{') ? record : QuotedText().Replace(record, "${text}")),
        ("serilog", "level-names", static record => LevelOfSerilog().Replace(record, static match => match.Value == "VRB" ? "TRC" : "CRT")),
        ("serilog", "exception-lines", static record => record.Replace("\nSystem.", "\n  System.", StringComparison.Ordinal)),
        ("nlog", "object-text", static record => record.Replace("""{"Id":5, "Customer":"Ann"}""", Object, StringComparison.Ordinal).Replace("""{\"Id\":5, \"Customer\":\"Ann\"}""", """{\"Id\":5,\"Customer\":\"Ann\"}""", StringComparison.Ordinal)),
        ("nlog", "all-event-properties", static record => PropertiesOfNLog().Replace(record, "|")),
        ("nlog", "aspnet-renderers", static record => record.Replace("endpoint: HTTP: GET /cart", "endpoint: ", StringComparison.Ordinal).Replace("url: http://127.0.0.1/", "url: /", StringComparison.Ordinal)),
        ("nlog", "console-layout", static record => record.Replace("info: Microsoft.Hosting.Lifetime[0]\n      ", "inf: Microsoft.Hosting.Lifetime[0] ", StringComparison.Ordinal)),
        ("nlog", "level-names", static record => LevelOfNLog().Replace(record, static match => match.Groups["level"].Value switch
        {
            "INFO" => "INFORMATION",
            "WARN" => "WARNING",
            "FATAL" => "CRITICAL",
            "Warn" => "Warning",
            _ => "Critical",
        })),
        ("nlog", "exception-lines", static record => ExceptionOfNLog().Replace(record, "${rest}\n  ${exception}")),
    ];

    // Each with the names of the differences that its output shows.
    public static TheoryData<string, string[]> Configurations => new()
    {
        { "serilog/file.json", ["level-names", "exception-lines"] },
        { "serilog/settings.json", ["object-text", "level-names", "exception-lines"] },
        { "serilog/console.json", ["object-text", "level-names", "exception-lines"] },
        { "serilog/async.json", ["properties-text", "object-text", "quoted-texts", "level-names", "exception-lines"] },
        { "serilog/formatters.json", [Fields] },
        { "nlog/tutorial.config", ["object-text", "level-names", "exception-lines"] },
        { "nlog/web.config", ["object-text", "aspnet-renderers", "console-layout", "level-names", "exception-lines"] },
        { "nlog/archive.config", ["object-text", "exception-lines"] },
        { "nlog/json.config", [Fields] },
        { "nlog/async.config", ["object-text", "all-event-properties", "level-names", "exception-lines"] },
    };

    [Theory]
    [MemberData(nameof(Configurations))]
    [Trait("Category", "slow")]
    public async Task Both_libraries_write_the_same_but_for_the_differences_of_the_page(string configuration, string[] differences)
    {
        var isRequest = configuration == "nlog/web.config";
        var theirs = await programs.Of(configuration).RunAsync(At(configuration), isRequest);
        var own = await programs.AsyncLog.RunAsync(Converted(configuration), isRequest);

        // NLog's own.
        theirs.Remove("internal-nlog.txt");
        Assert.Equal(theirs.Keys, own.Keys);
        var found = new HashSet<string>(StringComparer.Ordinal);
        foreach (var (file, lines) in own)
        {
            var written = Records(lines).Where(record => !isRequest || IsOfCalls(record)).ToList();
            var expected = Records(theirs[file]).Where(record => !isRequest || IsOfCalls(record)).ToList();
            Assert.Equal(expected.Count, written.Count);
            foreach (var (one, other) in expected.Zip(written))
                Compare(configuration.Split('/')[0], one, other, found);
        }

        Assert.Equal(differences.Order(StringComparer.Ordinal), found.Order(StringComparer.Ordinal));
    }

    [Fact]
    public void Each_difference_has_a_row_in_the_page_and_the_page_has_no_other()
        => Assert.All(Pages, page => Assert.Equal(
            Differences.Where(difference => difference.Library == page).Select(static difference => difference.Name).Append(Fields).Order(StringComparer.Ordinal),
            Row().Matches(Document.At($"docs/migrate-from-{page}.md").Text).Select(static match => match.Groups["name"].Value).Order(StringComparer.Ordinal)));

    private static void Compare(string library, string theirs, string own, HashSet<string> found)
    {
        if (own.StartsWith("{\"", StringComparison.Ordinal))
        {
            CompareFields(library, theirs, own);
            found.Add(Fields);
            return;
        }

        foreach (var (_, name, translate) in Differences.Where(difference => difference.Library == library))
        {
            var translated = translate(theirs);
            if (translated != theirs)
                found.Add(name);
            theirs = translated;
        }

        Assert.Equal(theirs, own);
    }

    // The layouts of the other library lack a message or a template. Serilog renders values a second time for those with a format, and a hash of the template instead of it.
    private static void CompareFields(string library, string theirs, string own)
    {
        var (expected, written) = (RecordFields.Of(theirs), RecordFields.Of(own));
        written.TryAdd("template", written["message"]);
        foreach (var name in (string[])["message", "template"])
        {
            if (!expected.ContainsKey(name))
                written.Remove(name);
        }

        expected.Remove("@i");
        expected.Remove("@r");
        if (expected.TryGetValue("message", out var message))
            expected["message"] = Differences.Where(difference => difference.Library == library && difference.Name is "object-text" or "quoted-texts").Aggregate(message, static (text, difference) => difference.Translate(text));
        Assert.Equal(expected, written);
    }

    private static IEnumerable<string> Records(string[] lines)
    {
        var start = 0;
        for (var end = 1; end <= lines.Length; end++)
        {
            if (end < lines.Length && !BeginOfRecord().IsMatch(lines[end]))
                continue;
            yield return string.Join('\n', lines[start..end]);
            start = end;
        }
    }

    // The server's own records have ports, connections and durations.
    private static bool IsOfCalls(string record) => record.Contains("|Shop.", StringComparison.Ordinal) || record.Contains("|Microsoft.AspNetCore.Routing|", StringComparison.Ordinal) || record.Contains("Ready", StringComparison.Ordinal);

    private static string At(string configuration) => Path.Combine(Repository.Root, "tests/vectors/moving", configuration);

    private static string Converted(string configuration) => Path.ChangeExtension(At(configuration), ".asynclog.json");

    [GeneratedRegex(@"^([0-9{\[#]|[a-z]{3,4}: )", RegexOptions.ExplicitCapture, 1_000)]
    private static partial Regex BeginOfRecord();

    [GeneratedRegex("^\\| `(?<name>[a-z]+(-[a-z]+)+)` \\|", RegexOptions.ExplicitCapture | RegexOptions.Multiline, 1_000)]
    private static partial Regex Row();

    [GeneratedRegex(@" \{ (EventId: \{[^}]*\}, )?SourceContext: ""[^""]*"", (?<tenant>Tenant: ""acme"", )?ProcessId: [0-9]+ \}", RegexOptions.ExplicitCapture, 1_000)]
    private static partial Regex PropertiesOfSerilog();

    [GeneratedRegex(@"\{ Id: 5, Customer: ""Ann"" \}|\{""Id"": 5, ""Customer"": ""Ann""\}", RegexOptions.None, 1_000)]
    private static partial Regex ObjectOfSerilog();

    [GeneratedRegex(@"""(?<text>c-17|apples|pears|cart)""", RegexOptions.ExplicitCapture, 1_000)]
    private static partial Regex QuotedText();

    [GeneratedRegex(@"\b(VRB|FTL)\b", RegexOptions.ExplicitCapture, 1_000)]
    private static partial Regex LevelOfSerilog();

    [GeneratedRegex(@"(?<=[|\[]) ?(?<level>INFO|WARN|FATAL|Warn|Fatal)(?=[|\]])", RegexOptions.ExplicitCapture, 1_000)]
    private static partial Regex LevelOfNLog();

    [GeneratedRegex(@"\|(CartId|Order|Left|Route)=.*$", RegexOptions.ExplicitCapture, 1_000)]
    private static partial Regex PropertiesOfNLog();

    [GeneratedRegex(@"[\n|]?(?<exception>System\.TimeoutException: No answer in 5 s)(?<rest>.*)$", RegexOptions.ExplicitCapture, 1_000)]
    private static partial Regex ExceptionOfNLog();
}
