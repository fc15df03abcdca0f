namespace AsyncLog.Tests;

public sealed class AsyncFileControlTests
{
    [Fact]
    public async Task A_request_goes_to_the_file_that_is_named_or_to_all()
    {
        using var first = new SinkHarness();
        using var second = new SinkHarness();
        var control = new AsyncFileControl();
        control.Add("file/default", first.Sink);
        control.Add("file/errors", second.Sink);
        first.Write("a");
        second.Write("b");

        Task<bool> one = control.RollAsync("Errors", cancellationToken: TestContext.Current.CancellationToken);
        second.RunDue();
        Assert.True(await one);
        first.RunDue();
        Assert.Equal(["shop.log"], first.Names);
        Assert.Equal(["shop.2026-11-20.001.log", "shop.log"], second.Names);
        second.Write("c");
        Task<bool> all = control.RollAsync(cancellationToken: TestContext.Current.CancellationToken);
        first.RunDue();
        Assert.False(all.IsCompleted);
        second.RunDue();

        Assert.True(await all);
        Assert.Equal(["shop.2026-11-20.001.log", "shop.log"], first.Names);
        Assert.Equal(["shop.2026-11-20.001.log", "shop.2026-11-20.002.log", "shop.log"], second.Names);
    }

    [Fact]
    public async Task A_name_that_no_file_has_is_answered_with_those_that_there_are_and_without_any_file_nothing_is_done()
    {
        using var harness = new SinkHarness();
        using var errors = new SinkHarness();
        var control = new AsyncFileControl();
        control.Add("file/default", harness.Sink);
        control.Add("file/errors", errors.Sink);

        var mistake = await Assert.ThrowsAsync<ArgumentException>("instance", () => control.RollAsync("erors", cancellationToken: TestContext.Current.CancellationToken));
        Assert.Equal("There is no file 'erors'; expected default or errors. (Parameter 'instance')", mistake.Message);
        await harness.Sink.DisposeAsync();
        await errors.Sink.DisposeAsync();

        mistake = await Assert.ThrowsAsync<ArgumentException>(
            "instance", () => control.ReopenAsync("default", cancellationToken: TestContext.Current.CancellationToken));
        Assert.Equal("There is no file 'default', nor any other. (Parameter 'instance')", mistake.Message);
        Assert.False(await control.ReopenAsync(cancellationToken: TestContext.Current.CancellationToken));
    }

    [Fact]
    public async Task While_a_file_changes_over_the_newer_one_counts_and_when_that_fails_the_older_one()
    {
        using var older = new SinkHarness();
        using var newer = new SinkHarness();
        var control = new AsyncFileControl();
        control.Add("file/default", older.Sink);
        control.Add("file/default", newer.Sink);
        older.Write("a");
        newer.Write("b");

        Task<bool> first = control.RollAsync("default", cancellationToken: TestContext.Current.CancellationToken);
        newer.RunDue();
        Assert.True(await first);
        older.RunDue();
        Assert.Equal((1, 2), (older.Names.Count, newer.Names.Count));
        await newer.Sink.DisposeAsync();
        Task<bool> second = control.RollAsync("file/default", cancellationToken: TestContext.Current.CancellationToken);
        older.RunDue();

        Assert.True(await second);
        Assert.Equal(2, older.Names.Count);
    }

    [Fact]
    public async Task Whoever_does_not_want_to_wait_gets_no_for_an_answer_and_whoever_gives_up_an_exception()
    {
        using var harness = new SinkHarness();
        var control = new AsyncFileControl();
        control.Add("file/default", harness.Sink);
        using var given = new CancellationTokenSource();

        Task<bool> unwilling = control.RollAsync(timeout: TimeSpan.Zero, cancellationToken: TestContext.Current.CancellationToken);
        Assert.True(unwilling.IsCompleted);
        Assert.False(await unwilling);
        Task<bool> waiting = control.ReopenAsync(cancellationToken: given.Token);
        Assert.False(waiting.IsCompleted);
        await given.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting);
    }
}
