using System.Text.RegularExpressions;

namespace AsyncLog.Tests.Architecture;

/// <summary>The C# files below a folder and which of them names a type of which other.</summary>
/// <remarks>
/// Reads identifiers, not symbols: a file uses another when it names a type that the other alone declares at the top level. A name after a dot is a
/// member, not a type.
/// </remarks>
internal sealed partial class Sources
{
    private readonly Dictionary<string, SortedDictionary<string, string>> _uses = new(StringComparer.Ordinal);

    public Sources(string folder)
    {
        Folder = Path.Combine(Repository.Root, folder);
        var texts = Directory.EnumerateFiles(Folder, "*.cs", SearchOption.AllDirectories)
            .Select(path => Path.GetRelativePath(Folder, path).Replace('\\', '/'))
            .Where(static path => !path.Split('/').Any(static part => part is "bin" or "obj"))
            .ToDictionary(static path => path, path => WithoutText(File.ReadAllText(Path.Combine(Folder, path))), StringComparer.Ordinal);
        var declared = texts
            .SelectMany(static file => Declaration().Matches(file.Value).Select(match => (Type: match.Groups[1].Value, file.Key)))
            .GroupBy(static type => type.Type, StringComparer.Ordinal)
            .Where(static type => type.Select(static declaration => declaration.Key).Distinct(StringComparer.Ordinal).Count() == 1)
            .ToDictionary(static type => type.Key, static type => type.First().Key, StringComparer.Ordinal);
        foreach (var (path, text) in texts)
        {
            var uses = _uses[path] = new(StringComparer.Ordinal);
            foreach (Match name in Name().Matches(text))
            {
                if (declared.TryGetValue(name.Value, out var other) && other != path)
                    uses.TryAdd(other, name.Value);
            }
        }
    }

    public string Folder { get; }

    public IEnumerable<string> Files => _uses.Keys;

    /// <summary>Every use of a type of another file: the file, the file that declares the type, the type.</summary>
    public IEnumerable<(string From, string To, string Type)> Uses => _uses.SelectMany(static file => file.Value.Select(use => (file.Key, use.Key, use.Value)));

    /// <summary>The folder of a file, relative; "." for the root.</summary>
    public static string FolderOf(string path) => path.Contains('/', StringComparison.Ordinal) ? path[..path.LastIndexOf('/')] : ".";

    /// <summary>The groups of more than one file that name each other, directly or through others.</summary>
    public List<List<string>> CirclesOfFiles() => Circles(Files, Uses.Select(static use => (use.From, use.To)));

    /// <summary>The groups of more than one folder that name each other, directly or through others.</summary>
    public List<List<string>> CirclesOfFolders()
    {
        var arrows = Uses.Select(static use => (FolderOf(use.From), FolderOf(use.To))).Where(static arrow => arrow.Item1 != arrow.Item2).Distinct().ToList();
        return Circles(Files.Select(FolderOf).Distinct(StringComparer.Ordinal), arrows);
    }

    // The strongly connected components: two nodes are in one when each reaches the other.
    private static List<List<string>> Circles(IEnumerable<string> nodes, IEnumerable<(string From, string To)> arrows)
    {
        var next = arrows.ToLookup(static arrow => arrow.From, static arrow => arrow.To, StringComparer.Ordinal);
        var reached = nodes.ToDictionary(static node => node, node => Reach(node, next), StringComparer.Ordinal);
        var circles = new List<List<string>>();
        foreach (var (node, others) in reached)
        {
            List<string> circle = [node, .. others.Where(other => other != node && reached[other].Contains(node)).Order(StringComparer.Ordinal)];
            if (circle.Count > 1 && circle.TrueForAll(other => string.CompareOrdinal(node, other) <= 0))
                circles.Add(circle);
        }

        return circles;
    }

    private static HashSet<string> Reach(string node, ILookup<string, string> next)
    {
        var reached = new HashSet<string>(StringComparer.Ordinal);
        var left = new Stack<string>([node]);
        while (left.TryPop(out var current))
        {
            foreach (var other in next[current].Where(reached.Add))
                left.Push(other);
        }

        return reached;
    }

    private static string WithoutText(string source) => CommentOrText().Replace(source, static match => match.Value.StartsWith('/') ? "" : "\"\"");

    [GeneratedRegex(@"//[^\n]*|""""""[\s\S]*?""""""|""(?:\\.|[^""\\\n])*""", RegexOptions.ExplicitCapture, 10_000)]
    private static partial Regex CommentOrText();

    [GeneratedRegex(@"^(?:\[.*\]\s*)?(?:(?:public|internal|file|static|sealed|abstract|readonly|ref|partial|unsafe)\s+)*(?:class|struct|interface|enum|record(?:\s+struct|\s+class)?|delegate\s+\S+)\s+([A-Za-z_]\w*)", RegexOptions.Multiline, 10_000)]
    private static partial Regex Declaration();

    [GeneratedRegex(@"(?<![\w.])[A-Za-z_]\w*|(?<=\bAsyncLog\.)[A-Za-z_]\w*", RegexOptions.None, 10_000)]
    private static partial Regex Name();
}
