using System.Xml.Linq;

namespace AsyncLog.Architecture;

/// <summary>The sources keep one direction: docs/architecture.md draws the floors.</summary>
public sealed class FloorTests
{
    // What the files of each folder of src/Core may name beside their own folder. The root, where everything is put together, may name all.
    private static readonly Dictionary<string, string[]> Floors = new(StringComparer.Ordinal)
    {
        ["Text"] = [],
        ["Sinks/Events"] = ["Text"],
        ["Sinks/Options"] = ["Text", "Sinks/Events"],
        ["Sinks"] = ["Text", "Sinks/Events", "Sinks/Options"],
        ["Accounting"] = ["Text", "Sinks/Events", "Sinks/Options", "Sinks"],
        ["Queue"] = ["Text", "Sinks/Events", "Sinks/Options", "Sinks", "Accounting"],
        ["Formatting"] = ["Text", "Sinks/Events", "Sinks/Options", "Sinks"],
        ["Survival"] = ["Text", "Sinks/Events", "Sinks/Options", "Sinks", "Accounting", "Queue"],
        ["Capture"] = ["Text", "Sinks/Events", "Sinks/Options", "Sinks", "Accounting", "Queue"],
        ["Delivery"] = ["Text", "Sinks/Events", "Sinks/Options", "Sinks", "Accounting", "Queue", "Survival"],
        ["Monitoring"] = ["Text", "Sinks/Events", "Sinks/Options", "Sinks", "Accounting", "Queue", "Delivery"],
        ["Configuration"] = ["Text", "Sinks/Events", "Sinks/Options", "Sinks", "Accounting"],
    };

    public static TheoryData<string> Projects => new("src/Core", "src/Sinks.Console", "src/Sinks.File", "src/Sinks.Syslog", "src/Sinks.Otlp", "src/Dashboard");

    [Fact]
    public void A_floor_of_Core_names_no_type_of_a_floor_that_is_not_below_it()
    {
        var wrong = new Sources("src/Core").Uses
            .Select(static use => (use, From: Sources.FolderOf(use.From), To: Sources.FolderOf(use.To)))
            .Where(static use => use.From != "." && use.From != use.To && !(Floors.TryGetValue(use.From, out var below) && below.Contains(use.To, StringComparer.Ordinal)))
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
    public void Core_opens_its_internals_to_tests_benchmarks_and_the_tool_only()
        => Assert.DoesNotContain(
            XDocument.Load(Path.Combine(Repository.Root, "src", "Core", "AsyncLog.csproj")).Descendants("InternalsVisibleTo").Select(static friend => friend.Attribute("Include")!.Value),
            static friend => friend != "AsyncLog.Tool" && Directory.EnumerateFiles(Path.Combine(Repository.Root, "src"), friend + ".csproj", SearchOption.AllDirectories).Any());

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
