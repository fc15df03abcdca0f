
namespace AsyncLog.Tests.Documents;

public sealed class LinkTests
{
    private static readonly string[] Registries = ["nuget.org", "npmjs.", "pypi.org", "crates.io", "docker.com", "docker.io", "mcr.microsoft.com", "quay.io", "ghcr.io"];

    private static IEnumerable<Link> Links => Document.All.SelectMany(static document => document.Links);

    [Fact]
    public void Every_link_into_the_repository_leads_to_a_file_and_an_anchor()
    {
        var links = Links.Where(static link => !IsExternal(link)).ToList();
        Assert.True(links.Count > 200, $"{links.Count} links");
        Assert.Empty(links.Where(static link => !Exists(link)));
    }

    [Theory]
    [InlineData("testing.md", true)]
    [InlineData("../README.md", true)]
    [InlineData("../src", true)]
    [InlineData("testing.md#simulation", true)]
    [InlineData("#no-such-chapter", false)]
    [InlineData("testing.md#no-such-chapter", false)]
    [InlineData("no-such-page.md", false)]
    [InlineData("/etc/passwd", false)]
    [InlineData("../..", false)]
    public void A_link_that_leads_nowhere_is_found(string target, bool exists) => Assert.Equal(exists, Exists(new Link("docs/files.md", 1, target)));

    [Fact]
    public void Every_link_to_elsewhere_is_https_and_names_no_registry()
    {
        var links = Links.Where(static link => IsExternal(link) && !IsMail(link)).ToList();
        Assert.NotEmpty(links);
        Assert.Empty(links.Where(static link => !IsAllowed(link)));
    }

    [Theory]
    [InlineData("https://example.com/nuget.org", true)]
    [InlineData("http://example.com", false)]
    [InlineData("https://www.nuget.org/packages", false)]
    [InlineData("https://hub.docker.com/r/a", false)]
    public void A_link_to_a_registry_or_without_encryption_is_found(string target, bool isAllowed)
        => Assert.Equal(isAllowed, IsAllowed(new Link("docs/files.md", 1, target)));

    [Fact]
    public void The_README_leads_to_every_page_of_docs()
    {
        var reached = new HashSet<string>(StringComparer.Ordinal) { "README.md" };
        var left = new Stack<string>(reached);
        while (left.TryPop(out var path))
        {
            foreach (var link in Links.Where(link => link.Path == path && !IsExternal(link)))
            {
                if (FileOf(link) is { } file && reached.Add(file) && file.EndsWith(".md", StringComparison.Ordinal))
                    left.Push(file);
            }
        }

        var pages = Document.All.Select(static document => document.Path).Where(static path => path.StartsWith("docs/", StringComparison.Ordinal)).ToList();
        Assert.True(pages.Count >= 20, $"{pages.Count} pages");
        Assert.Empty(pages.Where(path => !reached.Contains(path)));
    }

    private static bool IsAllowed(Link link)
        => link.Target.StartsWith("https://", StringComparison.Ordinal)
            && !Array.Exists(Registries, registry => new Uri(link.Target).Host.Contains(registry, StringComparison.OrdinalIgnoreCase));

    private static bool IsExternal(Link link) => link.Target.Contains("://", StringComparison.Ordinal) || IsMail(link);

    private static bool IsMail(Link link) => link.Target.StartsWith("mailto:", StringComparison.Ordinal);

    private static bool Exists(Link link)
    {
        var file = FileOf(link);
        var path = Path.Combine(Repository.Root, file);
        if (!File.Exists(path) && !Directory.Exists(path))
            return false;
        var anchor = link.Target.IndexOf('#', StringComparison.Ordinal) is >= 0 and var at ? Uri.UnescapeDataString(link.Target[(at + 1)..]) : null;
        return anchor is null || (Document.All.FirstOrDefault(document => document.Path == file)?.Anchors.Contains(anchor) ?? false);
    }

    // An absolute path or one that leaves the repository exists on one machine only.
    private static string FileOf(Link link)
    {
        var target = Uri.UnescapeDataString(link.Target.Split('#')[0]);
        if (target.Length == 0)
            return link.Path;
        var full = Path.GetFullPath(Path.Combine(Repository.Root, Path.GetDirectoryName(link.Path)!, target));
        return Path.GetRelativePath(Repository.Root, full).Replace('\\', '/') is var relative && !relative.StartsWith("..", StringComparison.Ordinal)
            ? relative
            : $"outside of the repository: {relative}";
    }
}
