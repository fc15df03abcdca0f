using System.Text.RegularExpressions;
using Microsoft.Extensions.Configuration;
using Newtonsoft.Json.Linq;
using NJsonSchema;
using NJsonSchema.Validation;

namespace AsyncLog.Tests.Architecture.Options;

/// <summary>The schemas as editors use them: what the product accepts has no mark, a slip has one where it stands.</summary>
public sealed partial class OptionsSchemaTests
{
    private static readonly Lazy<List<JsonSchema>> Schemas = new(
        static () => [.. OptionReference.All.Select(static reference => JsonSchema.FromJsonAsync(OptionsSchema.Create(reference)).GetAwaiter().GetResult())]);

    // Values of every form, and nearly such.
    private static readonly string[] Texts =
    [
        "", "true", "FALSE", "yes", "0", "1", "5", "-1", "7", "100", "640", "0640", "0750", "4096", "65536", "1000000", "5%", "60%", "64KB", "64 kb", "1.5 GB", "1.5GiB", "100mb", "1.5", "500ms", "5s",
        "5 S", "7d", "0.5h", "90", "00:00:05", "1.00:00:00", "00:00:00.5", "00:00:00.0000001", "5:00", "auto", "Text", "json", "clef", "Rfc5424", "local", "None", "information", "Day", "gzip", "Wait", "dropoldest",
        "Flush", "flushtodisk", "LF", "Indent", "Roll", "http/protobuf", "Grpc", "HttpProtobuf", "Always", "Auto", "Error", "Output", "SIGHUP", "udp://localhost", "https://collector:4318", "32473", "Local0", "LOG_LOCAL0", "16",
    ];

    public static TheoryData<string> Files
        => new(new[] { "README.md", "docs", "samples", "templates", "src" }.Select(static name => Path.Combine(Repository.Root, name)).SelectMany(FilesOf)
            .Where(static file => Configurations(file).Any())
            .Select(static file => Path.GetRelativePath(Repository.Root, file)).Order(StringComparer.Ordinal));

    public static TheoryData<string, string> Slips => new()
    {
        { """{ "Logging": { "AsyncFile": { "Pth": "app.log" } } }""", "Logging.AsyncFile.Pth" },
        { """{ "Logging": { "AsyncFile": { "FileSizeLimit": "100 megabytes" } } }""", "Logging.AsyncFile.FileSizeLimit" },
        { """{ "Logging": { "AsyncFile": { "RollingInterval": "Daily" } } }""", "Logging.AsyncFile.RollingInterval" },
        { """{ "Logging": { "AsyncFile": { "LogLevel": { "Default": "Verbose" } } } }""", "Logging.AsyncFile.LogLevel.Default" },
        { """{ "Logging": { "AsyncFile": { "LogLevel": { "Default": 7 } } } }""", "Logging.AsyncFile.LogLevel.Default" },
        { """{ "Logging": { "AsyncFile": { "Files": { "errors": { "RetainedFileCountLmit": 3 } } } } }""", "Logging.AsyncFile.Files.errors.RetainedFileCountLmit" },
        { """{ "Logging": { "AsyncFile": { "MaxQueueLength": 0 } } }""", "Logging.AsyncFile.MaxQueueLength" },
        { """{ "Logging": { "AsyncConsole": { "Color": "Sometimes" } } }""", "Logging.AsyncConsole.Color" },
        { """{ "Logging": { "AsyncSyslog": { "Endpoint": "udp://localhost", "Tls": { "CaFil": "ca.pem" } } } }""", "Logging.AsyncSyslog.Tls.CaFil" },
        { """{ "Logging": { "AsyncSyslog": { "ConnectTimeout": 5 } } }""", "Logging.AsyncSyslog.ConnectTimeout" },
        { """{ "Logging": { "AsyncOtlp": { "Protocol": "http/protobuf" } } }""", "Logging.AsyncOtlp.Protocol" },
        { """{ "Logging": { "AsyncOtlp": { "Collectors": { "eu": { "Format": "Json" } } } } }""", "Logging.AsyncOtlp.Collectors.eu.Format" },
        { """{ "AsyncLog": { "Strikt": true } }""", "AsyncLog.Strikt" },
        { """{ "AsyncLog": { "Strict": true, "Requests": { "ExcludePaths": { "/health": true } } } }""", "AsyncLog.Requests.ExcludePaths" },
    };

    [Theory]
    [MemberData(nameof(Files))]
    public void Every_configuration_of_documents_and_samples_is_accepted(string file)
    {
        foreach (var configuration in Configurations(Path.Combine(Repository.Root, file)))
            Assert.Equal([], Errors(configuration).Select(static error => error.ToString()));
    }

    [Theory]
    [MemberData(nameof(Slips))]
    public void A_slip_is_marked_where_it_stands(string configuration, string place) => Assert.Equal([place], Errors(JToken.Parse(configuration)).Select(PlaceOf).Distinct());

    [Fact]
    public void Every_value_that_the_product_accepts_is_accepted()
    {
        var refused = 0;
        foreach (var (reference, row) in OptionReference.All.SelectMany(static reference => reference.Rows.Select(row => (reference, row))).Where(static pair => pair.row.Form.Kind != OptionFormKind.Map))
        {
            foreach (var text in Texts)
            {
                var isAccepted = IsAccepted(reference, row.Key, text);
                foreach (var value in Written(text, row.Form.Kind))
                {
                    var errors = Errors(Nested($"{reference.Section}:{row.Key}", value));
                    Assert.True(errors.Count == 0 || !isAccepted, $"{reference.Section}:{row.Key} = {value.ToString(Newtonsoft.Json.Formatting.None)}: {errors.FirstOrDefault()}");
                    refused += errors.Count;
                }
            }
        }

        // Not everything: the pairs of an option and a text of another form are most of them.
        Assert.True(refused > 5_000, $"{refused} refused");
    }

    [Fact]
    public void The_number_of_a_level_is_accepted()
        => Assert.Empty(Errors(JToken.Parse("""{ "Logging": { "AsyncFile": { "MaxLevel": 4, "AcknowledgeLevel": "3", "LogLevel": { "Default": 2, "Shop": "1" } } } }""")));

    [Fact]
    public void A_section_of_another_library_is_left_alone()
        => Assert.Empty(Errors(JToken.Parse("""{ "Logging": { "Console": { "FormatterName": "json" }, "LogLevel": { "Default": "Information" } }, "Serilog": { "MinimumLevel": "Debug" } }""")));

    private static List<ValidationError> Errors(JToken configuration) => [.. Schemas.Value.SelectMany(schema => schema.Validate(configuration)).SelectMany(Innermost)];

    // An error inside named instances or of several alternatives stands below the one of the whole.
    private static IEnumerable<ValidationError> Innermost(ValidationError error)
        => error is ChildSchemaValidationError { Kind: not (ValidationErrorKind.NotAnyOf or ValidationErrorKind.NotOneOf) } parent
            ? parent.Errors.SelectMany(static child => child.Value).SelectMany(Innermost)
            : [error];

    private static string PlaceOf(ValidationError error) => error.Path!.TrimStart('#', '/').Replace('/', '.');

    private static bool IsAccepted(OptionReference reference, string key, string text)
    {
        var section = new ConfigurationBuilder().AddInMemoryCollection([new(key, text)]).Build();
        var (problems, unknown) = reference.Read(section);
        Assert.Empty(unknown);
        return !problems.Any();
    }

    // A number and a truth value may stand without quotes, where one is meant.
    private static IEnumerable<JValue> Written(string text, OptionFormKind kind)
    {
        yield return new JValue(text);
        if (kind is not (OptionFormKind.Boolean or OptionFormKind.Integer or OptionFormKind.Percent or OptionFormKind.Size or OptionFormKind.Octal))
            yield break;
        if (bool.TryParse(text, out var truth))
            yield return new JValue(truth);
        else if (long.TryParse(text, out var number) && number.ToString(System.Globalization.CultureInfo.InvariantCulture) == text)
            yield return new JValue(number);
    }

    private static JObject Nested(string path, JToken value)
    {
        foreach (var name in path.Split(':').Reverse())
            value = new JObject { [name] = value };
        return (JObject)value;
    }

    private static IEnumerable<string> FilesOf(string path)
        => File.Exists(path) ? [path]
            : !Directory.Exists(path) ? []
            : Directory.EnumerateFiles(path, "*", SearchOption.AllDirectories).Where(static file => !file.Split('/', '\\').Any(static part => part is "bin" or "obj"));

    private static IEnumerable<JToken> Configurations(string file)
    {
        if (Path.GetExtension(file) == ".md")
            return ConfigurationBlock().Matches(File.ReadAllText(file)).Select(static block => Parse(block.Groups[1].Value)).OfType<JToken>();
        return Path.GetFileName(file).StartsWith("appsettings", StringComparison.Ordinal) && Path.GetExtension(file) == ".json" ? [JToken.Parse(File.ReadAllText(file))] : [];
    }

    // Pages show whole files, or sections: those of sinks stand below Logging. Other blocks show output.
    private static JToken? Parse(string block)
    {
        var isWhole = block.TrimStart().StartsWith('{');
        if (isWhole && !block.Contains("\"Logging\"", StringComparison.Ordinal) && !block.Contains("\"AsyncLog\"", StringComparison.Ordinal))
            return null;
        var whole = isWhole ? JToken.Parse(block) : JToken.Parse("{" + block + "}");
        if (isWhole)
            return whole;
        var sections = ((JObject)whole).Properties().ToList();
        var ofSinks = sections.FindAll(static section => section.Name != ProcessSection.Name && section.Name.StartsWith("Async", StringComparison.Ordinal));
        return new JObject(sections.Except(ofSinks).Append(new JProperty("Logging", new JObject(ofSinks))));
    }

    [GeneratedRegex("^```jsonc?\n(.*?)^```", RegexOptions.Multiline | RegexOptions.Singleline, 10_000)]
    private static partial Regex ConfigurationBlock();
}
