using System.Reflection;
using System.Xml.Linq;

namespace AsyncLog.Tests.Architecture;

/// <summary>What users compile against is documented. An analyzer compares it with <c>PublicAPI.Unshipped.txt</c> of each project.</summary>
public sealed class PublicApiTests
{
    public static TheoryData<string> Assemblies => new("AsyncLog", "AsyncLog.Sinks.Console", "AsyncLog.Sinks.File", "AsyncLog.Sinks.Syslog", "AsyncLog.Sinks.Otlp", "AsyncLog.AspNetCore");

    [Theory]
    [MemberData(nameof(Assemblies))]
    public void A_public_method_documents_all_of_its_parameters_or_none(string assembly)
    {
        var methods = Assembly.Load(assembly).GetExportedTypes().SelectMany(static type => type.GetMembers().OfType<MethodBase>()
            .Select(method => (Name: $"M:{type.FullName}.{method.Name.Replace('.', '#')}", Parameters: method.GetParameters().Select(static parameter => parameter.Name!).ToHashSet()))).ToList();
        var documented = XDocument.Load(Path.Combine(AppContext.BaseDirectory, assembly + ".xml")).Descendants("member")
            .Select(static member => (Name: member.Attribute("name")!.Value, Parameters: member.Elements("param").Select(static param => param.Attribute("name")!.Value).ToHashSet()))
            .Where(static member => member.Parameters.Count > 0).ToList();
        Assert.NotEmpty(documented);
        // Overloads have one name: a comment belongs to one of those that have its parameters. Members that are not public have none.
        var candidates = documented
            .Select(member => (member.Name, member.Parameters, Methods: methods.Where(
                method => method.Name == member.Name.Split('(')[0].Split("``")[0] && method.Parameters.IsSupersetOf(member.Parameters)).ToList()))
            .Where(static member => member.Methods.Count > 0).ToList();
        Assert.NotEmpty(candidates);
        Assert.Empty(candidates
            .Where(static member => !member.Methods.Exists(method => method.Parameters.SetEquals(member.Parameters))).Select(static member => member.Name));
    }
}
