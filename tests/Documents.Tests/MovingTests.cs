namespace AsyncLog.Documents;

/// <summary>The pages on moving: both sides of a page are run, and write what the page says.</summary>
public sealed class MovingTests
{
    [Fact]
    public async Task Serilog()
    {
        var page = Document.At("docs/migrate-from-serilog.md");
        foreach (var side in new[] { "Serilog", "AsyncLog" })
        {
            foreach (var (name, lines) in (await Moved.RunAsync(page, side)).Files)
                TestContext.Current.TestOutputHelper!.WriteLine($"{side} {name}\n{string.Join('\n', lines)}");
        }
    }
}
