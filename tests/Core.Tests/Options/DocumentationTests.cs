using System.Text.RegularExpressions;
using System.Xml.Linq;

namespace AsyncLog.Tests.Options;

/// <summary>What IntelliSense shows of the options must be all that a user needs.</summary>
public sealed partial class DocumentationTests
{
    private static readonly Lazy<XDocument> Documentation = new(static () => XDocument.Load(Path.Combine(AppContext.BaseDirectory, "AsyncLog.xml")));

    [Fact]
    public void No_member_refers_to_a_document_that_is_not_in_the_package()
    {
        var members = Documentation.Value.Descendants("member").ToList();
        Assert.InRange(members.Count, 500, int.MaxValue);
        Assert.All((string[])["See docs/options.md.", "Rule AB-12.", "See section 3."], static text => Assert.Matches(Document(), text));
        Assert.Empty(members.Where(static member => Document().IsMatch(member.Value)).Select(static member => member.Attribute("name")!.Value));
    }

    [Fact]
    public void Template_lists_its_placeholders()
    {
        Assert.Contains("Message", TextTemplate.Names);
        Assert.Empty(TextTemplate.Names.Except(CodesOf("Template")));
    }

    [Fact]
    public void Format_names_its_values()
        => Assert.Empty(new[] { "Text", "Json", "Clef", "Rfc5424", "Rfc3164", "Local" }.Except(CodesOf("Format")));

    private static IEnumerable<string> CodesOf(string option)
        => Documentation.Value.Descendants("member").Single(member => member.Attribute("name")!.Value == "P:AsyncLog.SinkOptions." + option).Descendants("c").Select(static code => code.Value);

    [GeneratedRegex(@"\.md\b|\b[A-Z]{2}-\d\d\b|section \d")]
    private static partial Regex Document();
}
