using System.Reflection;
using System.Text;
using System.Text.RegularExpressions;
using System.Xml.Linq;

namespace AsyncLog.Tests.Architecture.Options;

/// <summary>The XML documentation of the assemblies of the product as plain text with the marks of Markdown.</summary>
internal sealed partial class XmlDocs
{
    private readonly Dictionary<string, XElement> _members = new(StringComparer.Ordinal);

    /// <summary>Reads the files beside the assemblies.</summary>
    public XmlDocs(params IEnumerable<string> assemblies)
    {
        foreach (var assembly in assemblies)
        {
            foreach (var member in XDocument.Load(Path.Combine(AppContext.BaseDirectory, assembly + ".xml")).Descendants("member"))
                _members[member.Attribute("name")!.Value] = member;
        }
    }

    /// <summary>The summary of a type.</summary>
    public string Summary(Type type) => Text(_members["T:" + type.FullName], "summary");

    /// <summary>The summary of a property.</summary>
    public string Summary(PropertyInfo property) => Text(Of(property), "summary");

    /// <summary>Default and bounds of a property.</summary>
    public string Value(PropertyInfo property) => Text(Of(property), "value");

    /// <summary>Details of a property; empty: none.</summary>
    public string Remarks(PropertyInfo property) => Text(Of(property), "remarks");

    /// <summary>The summary of a member of an enumeration.</summary>
    public string Summary(Type enumeration, string name) => Text(_members[$"F:{enumeration.FullName}.{name}"], "summary");

    private XElement Of(PropertyInfo property) => _members[$"P:{property.DeclaringType!.FullName}.{property.Name}"];

    private static string Text(XElement member, string part)
    {
        if (member.Element(part) is not { } element)
            return "";
        var text = new StringBuilder();
        Append(text, element);
        var lines = text.ToString().Split('\n').Select(static line => line.Trim());
        return ManyLines().Replace(string.Join('\n', lines).Trim(), "\n\n");
    }

    private static void Append(StringBuilder text, XElement element)
    {
        foreach (var node in element.Nodes())
        {
            switch (node)
            {
                case XText words:
                    text.Append(Spaces().Replace(words.Value, " "));
                    break;
                case XElement { Name.LocalName: "c" } code:
                    text.Append('`').Append(code.Value).Append('`');
                    break;
                case XElement { Name.LocalName: "see" } see:
                    text.Append('`').Append(ShortName(see)).Append('`');
                    break;
                case XElement { Name.LocalName: "para" or "list" } block:
                    text.Append("\n\n");
                    Append(text, block);
                    text.Append("\n\n");
                    break;
                case XElement { Name.LocalName: "item" } item:
                    text.Append("\n- ");
                    Append(text, item);
                    break;
                case XElement other:
                    throw new NotSupportedException($"<{other.Name.LocalName}> in the documentation of an option");
                default:
                    break;
            }
        }
    }

    // P:AsyncLog.SinkOptions.MaxQueueMemory is MaxQueueMemory, M:….IAsyncFileControl.ReopenAsync(…) is IAsyncFileControl.ReopenAsync.
    private static string ShortName(XElement see)
    {
        if (see.Attribute("langword") is { } word)
            return word.Value;
        var name = Arguments().Replace(see.Attribute("cref")!.Value, "");
        var parts = name[2..].Split('.');
        var isOption = name[0] == 'P' && parts[^2].EndsWith("Options", StringComparison.Ordinal);
        return name[0] is 'T' or 'F' || isOption ? parts[^1] : $"{parts[^2]}.{parts[^1]}";
    }

    [GeneratedRegex(@"\s+", RegexOptions.None, 10_000)]
    private static partial Regex Spaces();

    [GeneratedRegex(@"\n{2,}", RegexOptions.None, 10_000)]
    private static partial Regex ManyLines();

    [GeneratedRegex(@"\(.*\)$|`\d+", RegexOptions.None, 10_000)]
    private static partial Regex Arguments();
}
