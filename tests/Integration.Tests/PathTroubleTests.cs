using AsyncLog.Tests.Support;

namespace AsyncLog.Tests;

public sealed class PathTroubleTests
{
    // Root may write everywhere, but nobody can make a folder out of a file.
    [Fact]
    public async Task A_path_that_cannot_be_opened_never_stops_the_app_is_reported_once_and_heals_by_itself()
    {
        using var folder = new TempFolder();
        File.WriteAllText(folder.File("logs"), "in the way");
        using var shop = new ShopProcess(folder);
        using var client = new HttpClient { BaseAddress = await shop.Started() };
        using var answer = await client.GetAsync("/articles", TestContext.Current.CancellationToken);
        Assert.True(answer.IsSuccessStatusCode);
        await Eventually.Holds(
            () => shop.Program.Errors.Any(static line => line.Contains("file/requests", StringComparison.Ordinal)), () => "nothing is reported: " + shop.Program.Printed);

        File.Delete(folder.File("logs"));
        await Eventually.Holds(() => folder.Lines("logs", "requests.jsonl").Length == 1, () => "it does not heal: " + shop.Program.Printed);
        Assert.Equal(1, await shop.Stopped());

        Assert.Single(shop.Program.Errors, static line => line.Contains("file/requests", StringComparison.Ordinal) && !line.Contains("works again", StringComparison.Ordinal));
        Assert.Single(folder.Lines("logs", "requests.jsonl"));
    }

    [Fact]
    public async Task FailFastOnStart_turns_the_same_trouble_into_an_exception()
    {
        using var folder = new TempFolder();
        File.WriteAllText(folder.File("logs"), "in the way");
        using var shop = new ShopProcess(folder, ("Logging__AsyncFile__FailFastOnStart", "true"));

        Assert.NotEqual(0, await shop.Program.Ended());
        Assert.Single(
            shop.Program.Errors,
            line => line.StartsWith("Unhandled exception. ", StringComparison.Ordinal) && line.Contains(folder.File("logs"), StringComparison.Ordinal));
        Assert.DoesNotContain(shop.Program.Output, static line => line.StartsWith("listening on ", StringComparison.Ordinal));
    }
}
