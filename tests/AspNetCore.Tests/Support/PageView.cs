using System.Collections.Concurrent;
using Microsoft.Playwright;

namespace AsyncLog.Tests.Support;

/// <summary>The page as a browser shows it, with everything the browser complained about.</summary>
internal sealed class PageView
{
    public PageView(IPage page)
    {
        Page = page;
        page.Console += (_, message) =>
        {
            if (message.Type is "error" or "warning")
                Complaints.Enqueue(message.Text);
        };
        page.PageError += (_, error) => Complaints.Enqueue(error);
        page.Request += (_, request) => Requests.Enqueue(request.Url);
    }

    public IPage Page { get; }

    public ConcurrentQueue<string> Complaints { get; } = new();

    public ConcurrentQueue<string> Requests { get; } = new();

    public ILocator Sink(string name) => Page.Locator($"section[data-sink='{name}']");

    public Task<string> Text(string sink, string selector) => Sink(sink).Locator(selector).First.InnerTextAsync();

    /// <summary>The instance's row of the overview.</summary>
    public ILocator Row(string name) => Page.Locator($"#overview tr[data-sink='{name}']");

    public Task<string> RowText(string sink, string selector) => Row(sink).Locator(selector).First.InnerTextAsync();

    public Task<string> Verdict() => Page.Locator("#verdict").InnerTextAsync();

    /// <summary>The second column of the row that begins with a word.</summary>
    public async Task<string> Count(string sink, string row)
        => await Sink(sink).Locator("table[data-table=counts] tr").Filter(new LocatorFilterOptions { Has = Page.GetByRole(AriaRole.Rowheader, new PageGetByRoleOptions { Name = row, Exact = true, IncludeHidden = true }) })
            .Locator("td").TextContentAsync() ?? "";

    public Task Picture(string name) => Page.ScreenshotAsync(new PageScreenshotOptions { Path = Path.Combine(Repository.Artifacts("pages"), name + ".png"), FullPage = true });
}
