using System.Text;
using System.Text.RegularExpressions;

namespace AsyncLog.Tests.Documents;

/// <summary>A Markdown file of the repository: its fenced blocks, its links and the anchors of its headings.</summary>
internal sealed partial class Document
{
    private static readonly string[] NoPages = ["bin", "obj", "artifacts", "node_modules"];
    private readonly List<Block> _blocks = [];
    private readonly List<Link> _links = [];
    private readonly HashSet<string> _anchors = new(StringComparer.Ordinal);

    private Document(string path)
    {
        Path = path;
        Text = File.ReadAllText(System.IO.Path.Combine(Repository.Root, path));
        Read(Text.ReplaceLineEndings("\n").Split('\n'));
    }

    /// <summary>Every Markdown file, except what a build leaves behind and hidden folders.</summary>
    public static IReadOnlyList<Document> All { get; } = [.. Find(new DirectoryInfo(Repository.Root)).Order(StringComparer.Ordinal).Select(static path => new Document(path))];

    /// <summary>Relative to the repository, with slashes.</summary>
    public string Path { get; }

    public string Text { get; }

    public IReadOnlyList<Block> Blocks => _blocks;

    public IReadOnlyList<Link> Links => _links;

    /// <summary>The anchors GitHub gives to the headings, and the ids of elements.</summary>
    public IReadOnlySet<string> Anchors => _anchors;

    /// <summary>The document at a path.</summary>
    public static Document At(string path) => All.Single(document => document.Path == path);

    /// <summary>The blocks of all documents that carry one of these languages.</summary>
    public static TheoryData<Block> BlocksOf(params ReadOnlySpan<string> languages)
    {
        var blocks = new TheoryData<Block>();
        foreach (var block in All.SelectMany(static document => document.Blocks))
        {
            if (languages.Contains(block.Language))
                blocks.Add(block);
        }

        return blocks;
    }

    /// <summary>The blocks below a heading.</summary>
    public IEnumerable<Block> Below(string heading) => _blocks.Where(block => block.Heading == heading);

    private static IEnumerable<string> Find(DirectoryInfo folder)
        => folder.EnumerateFiles("*.md").Select(static file => System.IO.Path.GetRelativePath(Repository.Root, file.FullName).Replace('\\', '/'))
            .Concat(folder.EnumerateDirectories()
                .Where(static below => (below.Name == ".github" || !below.Name.StartsWith('.')) && !NoPages.Contains(below.Name))
                .SelectMany(Find));

    private void Read(string[] lines)
    {
        var repeated = new Dictionary<string, int>(StringComparer.Ordinal);
        var title = "";
        for (var index = 0; index < lines.Length; index++)
        {
            if (Fence().Match(lines[index]) is { Success: true } fence)
            {
                var end = Array.FindIndex(lines, index + 1, line => line.Trim() == fence.Groups["fence"].Value);
                Assert.True(end > 0, $"{Path}:{index + 1}: the block has no end");
                var text = lines[(index + 1)..end].Select(line => line.StartsWith(fence.Groups["indent"].Value, StringComparison.Ordinal) ? line[fence.Groups["indent"].Length..] : line);
                _blocks.Add(new Block(Path, index + 1, title, fence.Groups["language"].Value, string.Join('\n', text) + "\n"));
                index = end;
                continue;
            }

            if (Heading().Match(lines[index]) is { Success: true } heading)
            {
                title = heading.Groups["title"].Value;
                var anchor = Slug(title);
                var count = repeated[anchor] = repeated.GetValueOrDefault(anchor) + 1;
                _anchors.Add(count == 1 ? anchor : $"{anchor}-{count - 1}");
            }

            foreach (Match id in Id().Matches(lines[index]))
                _anchors.Add(id.Groups["id"].Value);
            foreach (Match link in Target().Matches(Code().Replace(lines[index], "")))
                _links.Add(new Link(Path, index + 1, link.Groups["target"].Value));
        }
    }

    // Lower case; letters, digits, '_' and '-' stay, spaces become '-', everything else goes; of a link its text stays.
    private static string Slug(string title)
    {
        var slug = new StringBuilder();
        foreach (var rune in LinkText().Replace(title, "${text}").Trim().ToLowerInvariant().EnumerateRunes())
        {
            if (Rune.IsLetterOrDigit(rune) || rune.Value is '_' or '-')
                slug.Append(rune.ToString());
            else if (rune.Value == ' ')
                slug.Append('-');
        }

        return slug.ToString();
    }

    [GeneratedRegex(@"^(?<indent>\s*)(?<fence>```+)\s*(?<language>[^\s`]*)[^`]*$", RegexOptions.ExplicitCapture, 1_000)]
    private static partial Regex Fence();

    [GeneratedRegex(@"^#{1,6}\s+(?<title>.*?)\s*#*$", RegexOptions.ExplicitCapture, 1_000)]
    private static partial Regex Heading();

    [GeneratedRegex(@"\b(id|name)=""(?<id>[^""]+)""", RegexOptions.ExplicitCapture, 1_000)]
    private static partial Regex Id();

    [GeneratedRegex("`[^`]*`", RegexOptions.ExplicitCapture, 1_000)]
    private static partial Regex Code();

    // [text](target), ![text](target "title"), [name]: target, <https://...>, href="..." and src="..."
    [GeneratedRegex(@"\]\((?<target>[^)\s]+)(\s+""[^""]*"")?\)|^\[[^\]]+\]:\s*(?<target>\S+)|<(?<target>https?://[^>]+)>|\b(href|src|srcset)=""(?<target>[^""]+)""", RegexOptions.ExplicitCapture, 1_000)]
    private static partial Regex Target();

    [GeneratedRegex(@"\[(?<text>[^\]]*)\]\([^)]*\)", RegexOptions.ExplicitCapture, 1_000)]
    private static partial Regex LinkText();
}
