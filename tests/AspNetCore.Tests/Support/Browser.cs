using Microsoft.Playwright;

namespace AsyncLog.Tests.Support;

/// <summary>Debian's Chromium, without a window.</summary>
internal sealed class Browser : IAsyncDisposable
{
    private static readonly string[] Paths = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

    private readonly IPlaywright _playwright;
    private readonly IBrowser _browser;

    private Browser(IPlaywright playwright, IBrowser browser)
    {
        _playwright = playwright;
        _browser = browser;
    }

    public static async Task<Browser> Start()
    {
        var path = Array.Find(Paths, File.Exists);
        Assert.SkipUnless(path is not null, "needs chromium: apt-get install chromium");
        var playwright = await Playwright.CreateAsync();
        return new Browser(playwright, await playwright.Chromium.LaunchAsync(new BrowserTypeLaunchOptions { ExecutablePath = path, Args = ["--no-sandbox", "--disable-gpu"] }));
    }

    public async Task<PageView> Open(Uri address, int width, ColorScheme scheme, int height = 900, Func<IPage, Task>? before = null)
    {
        var context = await _browser.NewContextAsync(new BrowserNewContextOptions { ViewportSize = new ViewportSize { Width = width, Height = height }, ColorScheme = scheme });
        var page = await context.NewPageAsync();
        var view = new PageView(page);
        if (before is not null)
            await before(page);
        await page.GotoAsync(address.ToString());
        if (address.AbsolutePath == "/asynclog")
            await page.WaitForSelectorAsync("#overview tbody tr");
        return view;
    }

    public async ValueTask DisposeAsync()
    {
        await _browser.DisposeAsync();
        _playwright.Dispose();
    }
}
