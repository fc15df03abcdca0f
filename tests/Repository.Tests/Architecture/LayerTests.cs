using System.Xml.Linq;

namespace AsyncLog.Tests.Architecture;

/// <summary>The sources keep one direction: docs/architecture.md draws the layers.</summary>
public sealed class LayerTests
{
    // The folders of src/Core from the bottom to the top, and the layers below that the files of each may name. The root, the registration, may name all.
    private static readonly Dictionary<string, string[]> Layers = new(StringComparer.Ordinal)
    {
        ["Text"] = [],
        ["Events"] = ["Text"],
        ["Options"] = ["Text"],
        ["Segments"] = [],
        ["Sinks"] = ["Text", "Events", "Options", "Segments"],
        ["CallSites"] = ["Text", "Events"],
        ["Formatting"] = ["Text", "Events", "Options", "Sinks", "CallSites"],
        ["Diagnostics"] = ["Text", "Options", "Segments", "Sinks"],
        ["Queue"] = ["Events", "CallSites", "Options", "Segments", "Sinks", "Diagnostics"],
        ["Survival"] = ["Text", "Options", "Segments", "Sinks", "Diagnostics", "Queue"],
        ["Capture"] = ["Text", "Events", "CallSites", "Segments", "Diagnostics", "Queue"],
        ["Delivery"] = ["Events", "Options", "Segments", "Sinks", "Diagnostics", "Queue", "Survival"],
        ["Monitoring"] = ["Text", "Options", "Segments", "Sinks", "Diagnostics", "Queue", "Survival", "Delivery"],
        ["Configuration"] = ["Text", "Options", "Sinks", "Diagnostics"],
        ["Hosting"] = ["Text", "Events", "Options", "Sinks", "Formatting", "Diagnostics", "Queue", "Survival", "Capture", "Delivery", "Monitoring", "Configuration"],
    };

    public static TheoryData<string> Projects => new("src/Core", "src/Sinks.Console", "src/Sinks.File", "src/Sinks.Syslog", "src/Sinks.Otlp", "src/AspNetCore");

    [Fact]
    public void A_layer_of_Core_names_only_types_of_layers_below_it()
    {
        var wrong = new Sources("src/Core").Uses
            .Select(static use => (use, From: Sources.FolderOf(use.From), To: Sources.FolderOf(use.To)))
            .Where(static use => use.From != "." && use.From != use.To && !(Layers.TryGetValue(use.From, out var below) && below.Contains(use.To, StringComparer.Ordinal)))
            .Select(static use => $"{use.use.From} names {use.use.Type} of {use.use.To}");
        AssertNone(wrong.Order(StringComparer.Ordinal));
    }

    [Theory]
    [MemberData(nameof(Projects))]
    public void No_folders_name_each_other_in_a_circle(string project)
        => AssertNone(new Sources(project).CirclesOfFolders().Select(static circle => string.Join(", ", circle)));

    [Theory]
    [MemberData(nameof(Projects))]
    public void No_more_than_four_files_name_each_other_in_a_circle(string project)
        => AssertNone(new Sources(project).CirclesOfFiles().Where(static circle => circle.Count > 4).Select(static circle => string.Join(", ", circle)));

    // The tool reads the files that Core writes; no sink does.
    [Fact]
    public void Only_Core_opens_its_internals_to_other_packages()
    {
        string[] projects = Directory.GetFiles(Path.Combine(Repository.Root, "src"), "*.csproj", SearchOption.AllDirectories);
        var opened = from project in projects
                     from friend in XDocument.Load(project).Descendants("InternalsVisibleTo").Select(static friend => friend.Attribute("Include")!.Value)
                     where Array.Exists(projects, other => Path.GetFileNameWithoutExtension(other) == friend)
                     orderby friend
                     select $"{Path.GetFileName(Path.GetDirectoryName(project))}: {friend}";

        Assert.Equal(["Core: AsyncLog.AspNetCore", "Core: AsyncLog.Sinks.Console", "Core: AsyncLog.Sinks.File", "Core: AsyncLog.Sinks.Otlp", "Core: AsyncLog.Sinks.Syslog", "Core: AsyncLog.Tool"], opened);
    }

    [Fact]
    public void The_reader_of_the_sources_finds_uses_and_circles()
    {
        var folder = Directory.CreateTempSubdirectory("asynclog-sources-");
        try
        {
            Write("A.cs", "internal sealed class A { private B? _b; private string C => \"D\"; }");
            Write("x/B.cs", "internal struct B { /* */ private object o = new C(); } // D");
            Write("x/C.cs", "public enum C { One }\n[Some]\ninternal sealed record Second(A a);");
            Write("D.cs", "internal static class D { private int E => o.A; }");
            var sources = new Sources(folder.FullName);
            Assert.Equal(["A.cs x/B.cs B", "x/B.cs x/C.cs C", "x/C.cs A.cs A"], sources.Uses.Where(static use => use.Type != "C" || use.From != "A.cs").Select(static use => $"{use.From} {use.To} {use.Type}").Order(StringComparer.Ordinal));
            Assert.Equal(["A.cs, x/B.cs, x/C.cs"], sources.CirclesOfFiles().Select(static circle => string.Join(", ", circle)));
            Assert.Equal(["., x"], sources.CirclesOfFolders().Select(static circle => string.Join(", ", circle)));
        }
        finally
        {
            folder.Delete(recursive: true);
        }

        void Write(string name, string text)
        {
            var path = Path.Combine(folder.FullName, name);
            Directory.CreateDirectory(Path.GetDirectoryName(path)!);
            File.WriteAllText(path, text);
        }
    }

    // Every finding, not the first few.
    private static void AssertNone(IEnumerable<string> findings)
    {
        var all = string.Join('\n', findings);
        Assert.True(all.Length == 0, all);
    }
}
