using System.Text;
using System.Text.Json;
using FsCheck;
using FsCheck.Fluent;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Formatting;

public sealed class ClefFormatterTests
{
    private static readonly string[] Ours = ["SourceContext", "EventId", "Scope", "Truncated"];

    private static readonly Gen<string> Texts = Gen.OneOf(
        Gen.Elements("@t", "@mt", "@", "@@x", "SourceContext", "_SourceContext", "EventId", "Scope", "__Scope", "Truncated", "a", "\uD800", "\u202E\n\"\\", "{a}", "{{a}}"),
        ArbMap.Default.GeneratorFor<string>().Where(static text => text is not null));

    private static readonly Gen<object?> Values = Gen.OneOf(
        Texts.Select(static text => (object?)text),
        ArbMap.Default.GeneratorFor<double>().Select(static number => (object?)number),
        ArbMap.Default.GeneratorFor<int>().Select(static number => (object?)number),
        ArbMap.Default.GeneratorFor<Dictionary<int, string>>().Select(static map => (object?)map),
        Gen.Elements<object?>(null, true, new byte[] { 1 }, DayOfWeek.Friday, new ThrowingToString(), new ThrowingSequence(2)));

    [Theory]
    [InlineData(0, null, null)]
    [InlineData(14, null, "{\"Id\":14}")]
    [InlineData(0, "Placed", "{\"Name\":\"Placed\"}")]
    [InlineData(14, "Placed", "{\"Id\":14,\"Name\":\"Placed\"}")]
    public void The_event_id_is_an_object_as_Serilog_writes_it_and_never_the_type_of_the_event(int id, string? name, string? expected)
    {
        var line = new Said { Id = new EventId(id, name) }.In(Said.Clef());
        using var json = JsonDocument.Parse(line);
        Assert.Equal(expected, json.RootElement.TryGetProperty("EventId", out var written) ? written.GetRawText() : null);
        Assert.False(json.RootElement.TryGetProperty("@i", out _));
    }

    [Fact]
    public void The_line_of_the_specification() => Cultures.InEach(() =>
    {
        var said = new Said { Template = "Item {Id} added", State = [("Id", 42)] };
        Assert.Equal(
            "{\"@t\":\"2026-11-20T11:31:07.4821234Z\",\"@mt\":\"Item {Id} added\",\"@m\":\"Item 42 added\",\"SourceContext\":\"Shop.Cart\",\"Id\":42}\n", said.In(Said.Clef()));
    });

    [Fact]
    public void Everything_that_can_be_there_has_its_place() => Cultures.InEach(() =>
    {
        var said = new Said
        {
            Level = LogLevel.Critical,
            Id = new EventId(7, "Add\"ed"),
            Message = "a\n\u0085",
            Exception = new StubException("X\n   at Y"),
            Template = "t {a}",
            Trace = "0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331",
            State = [("a", 1), ("b", "x"), ("", 5), ("a", 2.5), ("n", null)],
            Scopes = ["outer", new NamedScope("pairs", [new("k", 1), new("k", 2), new("b", "lost"), new("site", "lost")]), "inner", new NamedScope("inner", [new("m", 3), new("k", 9)])],
        };
        Assert.Equal(
            "{\"@t\":\"2026-11-20T11:31:07.4821234Z\",\"@l\":\"Fatal\",\"@mt\":\"t {a}\",\"@m\":\"a\\n\\u0085\",\"@x\":\"X\\n   at Y\","
            + "\"@tr\":\"0af7651916cd43dd8448eb211c80319c\",\"@sp\":\"b7ad6b7169203331\",\"SourceContext\":\"Shop.Cart\",\"EventId\":{\"Id\":7,\"Name\":\"Add\\\"ed\"},"
            + "\"b\":\"x\",\"a\":2.5,\"n\":null,\"site\":\"main\",\"m\":3,\"k\":9,\"Scope\":[\"outer\",\"inner\"]}\r\n",
            said.In(Said.Clef() with { NewLine = "\r\n", TimestampFormat = "HH", Properties = new ConstantProperties([new("a", "lost"), new("site", "main")]) }));
        Assert.DoesNotContain("\"Scope\"", said.In(Said.Clef() with { IncludeScopes = false }), StringComparison.Ordinal);
    });

    [Theory]
    [InlineData(LogLevel.Trace, "\"@l\":\"Verbose\",")]
    [InlineData(LogLevel.Debug, "\"@l\":\"Debug\",")]
    [InlineData(LogLevel.Information, "")]
    [InlineData(LogLevel.Warning, "\"@l\":\"Warning\",")]
    [InlineData(LogLevel.Error, "\"@l\":\"Error\",")]
    [InlineData(LogLevel.Critical, "\"@l\":\"Fatal\",")]
    public void Levels_have_the_names_of_Serilog(LogLevel level, string expected)
        => Assert.Contains($"Z\",{expected}\"@m\":", new Said { Level = level }.In(Said.Clef()), StringComparison.Ordinal);

    [Theory]
    [InlineData("no placeholder", false)]
    [InlineData("{{no}} placeholder", false)]
    [InlineData("a { b", false)]
    [InlineData("", false)]
    [InlineData("{a}", true)]
    [InlineData("{{{a,5:N}", true)]
    public void A_template_is_written_if_it_has_a_placeholder(string template, bool isThere)
    {
        using var json = JsonDocument.Parse(new Said { Template = template }.In(Said.Clef()));
        Assert.Equal(isThere ? template : null, json.RootElement.TryGetProperty("@mt", out var written) ? written.GetString() : null);
    }

    [Fact]
    public void Names_that_belong_to_the_layout_are_marked()
    {
        var said = new Said { State = [("@t", 1), ("@@", 2), ("SourceContext", 3), ("_SourceContext", 4), ("EventId", 5), ("Scope", 6), ("Truncated", 7), ("a@", 8)] };
        Assert.EndsWith(
            "\"SourceContext\":\"Shop.Cart\",\"@@t\":1,\"@@@\":2,\"_SourceContext\":3,\"__SourceContext\":4,\"_EventId\":5,\"Scope\":6,\"Truncated\":7,\"a@\":8}\n",
            said.In(Said.Clef()), StringComparison.Ordinal);
        said = new Said { State = [("Scope", 6), ("_Scope", 7)], Scopes = ["s"] };
        Assert.EndsWith("\"_Scope\":6,\"__Scope\":7,\"Scope\":[\"s\"]}\n", said.In(Said.Clef()), StringComparison.Ordinal);
        said = new Said { State = [("Truncated", 6)], Message = new string('m', 2000) };
        var whole = $"{{\"@t\":\"2026-11-20T11:31:07.4821234Z\",\"@m\":\"{said.Message}\",\"SourceContext\":\"Shop.Cart\",\"Truncated\":6}}\n";
        Assert.EndsWith($"\"_Truncated\":6,\"Truncated\":{whole.Length}}}\n", said.In(Said.Clef() with { MaxRecordSize = 1024 }), StringComparison.Ordinal);
    }

    [Fact]
    public void Any_record_is_one_line_of_strict_json_within_its_limit()
    {
        var lists = Texts.Two().SelectMany(names => Values.Two().Select(values => new[] { (names.Item1, values.Item1), (names.Item2, values.Item2) })).ArrayOf(2)
            .Select(pairs => pairs.SelectMany(static pair => pair).ToArray());
        var all = from texts in Texts.ArrayOf(5)
                  from state in lists
                  from scope in lists
                  from limit in Gen.Elements(1024, 64 << 10)
                  from level in Gen.Choose(0, 5)
                  from times in Gen.Elements(1, 1, 200)
                  select (Said: new Said
                  {
                      Level = (LogLevel)level,
                      Template = texts[0],
                      Category = texts[1],
                      Message = string.Concat(Enumerable.Repeat(texts[2], times)),
                      Id = new EventId(level, texts[3]),
                      Exception = level == 5 ? new StubException(string.Concat(Enumerable.Repeat(texts[4], times))) : null,
                      State = state,
                      Scopes = [texts[3], new NamedScope(texts[4], [.. scope.Select(pair => new KeyValuePair<string, object?>(pair.Item1, pair.Item2))])],
                  }, Limit: limit);
        Prop.ForAll(Arb.From(all), pair =>
        {
            var record = pair.Said.Bytes(Said.Clef() with { MaxRecordSize = pair.Limit, Properties = new ConstantProperties([new("@t", "constant"), new("site", "main")]) });
            using var document = JsonDocument.Parse(record, new JsonDocumentOptions { AllowDuplicateProperties = false });
            var root = document.RootElement;
            Assert.True(record.Length <= pair.Limit && record.AsSpan().IndexOf((byte)'\n') == record.Length - 1);
            Assert.Equal(pair.Said.WasTruncated, root.TryGetProperty("Truncated", out var original) && original.ValueKind == JsonValueKind.Number && original.TryGetInt64(out var size) && size > pair.Limit);
            Assert.NotEmpty(root.EnumerateObject());
            Assert.All(root.EnumerateObject(), static member => Assert.True(!member.Name.StartsWith('@') || member.Name.StartsWith("@@", StringComparison.Ordinal) || "@t@l@mt@m@x@tr@sp".Contains(member.Name, StringComparison.Ordinal)));
            if (!pair.Said.WasTruncated)
                CheckWhole(pair.Said, root);
        }).Check(Config.QuickThrowOnFailure.WithMaxTest(400));
    }

    private static void CheckWhole(Said said, JsonElement root)
    {
        Assert.Equal(Readable(said.Message!), root.GetProperty("@m").GetString());
        Assert.Equal(Readable(said.Category), root.GetProperty("SourceContext").GetString());
        Assert.Equal(said.Exception is null, !root.TryGetProperty("@x", out _));
        var names = said.State.Select(static pair => pair.Name).Concat(((NamedScope)said.Scopes[1]).Select(static pair => WithoutSign(pair.Key))).Append("@t").Append("site")
            .Where(static name => name.Length > 0).Select(static name => Written(Readable(name)));
        var members = root.EnumerateObject().Select(static member => member.Name).Where(static name => name.StartsWith("@@", StringComparison.Ordinal) || !name.StartsWith('@'));
        Assert.Equal(names.Distinct().Order(StringComparer.Ordinal), members.Except(Ours).Concat(names.Intersect(Ours)).Distinct().Order(StringComparer.Ordinal));
    }

    private static string WithoutSign(string name) => name is ['@' or '$', _, ..] ? name[1..] : name;

    // Truncated is the layout's own only in a truncated record.
    private static string Written(string name)
        => name.StartsWith('@') ? "@" + name
            : name.TrimStart('_') is "SourceContext" or "EventId" or "Scope" ? "_" + name
            : name;

    private static string Readable(string text) => Encoding.UTF8.GetString(Encoding.UTF8.GetBytes(text));
}
