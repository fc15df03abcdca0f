using AsyncLog.Tests.Disk;

namespace AsyncLog.Tests.Writing;

public sealed class RequestTests
{
    [Theory]
    [InlineData("shop.log", "shop.2026-11-20.001.log", "shop.log")]
    [InlineData("shop-{Date}.log", "shop-2026-11-20.log", "shop-2026-11-20.001.log")]
    public async Task A_roll_on_request_is_done_without_a_record(string path, string finished, string active)
    {
        using var harness = new SinkHarness(options => options.Path = path);
        harness.Write("a");
        int wakes = harness.Context.Wakes;

        Task<bool> answer = harness.Sink.RequestAsync(FileRequest.Roll);
        Assert.Equal(wakes + 1, harness.Context.Wakes);
        Assert.False(answer.IsCompleted);
        harness.RunDue();

        Assert.True(await answer);
        harness.Write("b");
        Assert.Equal("a\n", harness.Read(finished));
        Assert.Equal("b\n", harness.Read(active));
        Assert.Equal(1, harness.Counters.Rolled[RollReason.Request]);
    }

    [Fact]
    public async Task A_roll_on_request_comes_before_the_next_record()
    {
        using var harness = new SinkHarness();
        harness.Write("a");

        Task<bool> answer = harness.Sink.RequestAsync(FileRequest.Roll);
        harness.Write("b", "c");

        Assert.True(await answer);
        Assert.Equal("b\nc\n", harness.Read("shop.log"));
        Assert.Equal("a\n", harness.Read("shop.2026-11-20.001.log"));
    }

    [Fact]
    public async Task An_empty_file_is_not_rolled()
    {
        using var harness = new SinkHarness();

        Task<bool> answer = harness.Sink.RequestAsync(FileRequest.Roll);
        harness.RunDue();

        Assert.True(await answer);
        Assert.Equal(["shop.log"], harness.Names);
        Assert.Equal(0, harness.Counters.Rolled[RollReason.Request]);
    }

    [Fact]
    public async Task A_record_is_never_divided()
    {
        var files = new FaultyFileSystem();
        using var harness = new SinkHarness(files: files);
        harness.Write("first");
        int left = 4;
        files.OnAppend = _ => Math.Max(0, Math.Min(2, left -= 2));
        LogBatch batch = harness.BatchNow("begun", "next");
        harness.FailToWrite(batch);
        Task<bool> answer = harness.Sink.RequestAsync(FileRequest.Roll);
        files.OnAppend = null;

        harness.Write(batch);
        Assert.False(answer.IsCompleted);
        harness.Write("after");

        Assert.True(await answer);
        Assert.Equal("first\nbegun\nnext\n", harness.Read("shop.2026-11-20.001.log"));
        Assert.Equal("after\n", harness.Read("shop.log"));
    }

    [Fact]
    public async Task A_roll_on_request_that_fails_says_so_and_the_old_file_goes_on()
    {
        var files = new FaultyFileSystem();
        using var harness = new SinkHarness(files: files);
        harness.Write("a");
        files.OnArchive = _ => FileErrorClass.Permission;

        Task<bool> answer = harness.Sink.RequestAsync(FileRequest.Roll);
        harness.RunDue();

        Assert.False(await answer);
        harness.Write("b");
        Assert.Equal("a\nb\n", harness.Read("shop.log"));
    }

    [Fact]
    public async Task Reopening_on_request_follows_a_rename_at_once_even_when_the_path_is_not_watched()
    {
        using var harness = new SinkHarness(options => options.ReopenWhenMoved = false);
        harness.Write("a");
        File.Move(harness.Folder.File("shop.log"), harness.Folder.File("shop.log.1"));

        harness.Write("b");
        Task<bool> answer = harness.Sink.RequestAsync(FileRequest.Reopen);
        harness.Write("c");

        Assert.True(await answer);
        Assert.Equal("a\nb\n", harness.Read("shop.log.1"));
        Assert.Equal("c\n", harness.Read("shop.log"));
        Assert.Equal(1, harness.Counters.Reopened[ReopenReason.Signal]);
    }

    [Fact]
    public async Task Reopening_a_file_that_is_where_it_was_changes_nothing()
    {
        using var harness = new SinkHarness();
        harness.Write("a");

        Task<bool> answer = harness.Sink.RequestAsync(FileRequest.Reopen);
        harness.RunDue();
        harness.Write("b");

        Assert.True(await answer);
        Assert.Equal("a\nb\n", harness.Read("shop.log"));
        Assert.Equal(0, harness.Counters.Reopened[ReopenReason.Signal]);
    }

    [Fact]
    [NotUnderWine("it deletes an open file when it is closed")]
    public async Task Reopening_that_fails_says_so_and_heals_with_the_next_record()
    {
        var files = new FaultyFileSystem();
        using var harness = new SinkHarness(files: files);
        harness.Write("a");
        File.Delete(harness.Folder.File("shop.log"));
        files.OnOpen = _ => FileErrorClass.TooManyFiles;

        Task<bool> answer = harness.Sink.RequestAsync(FileRequest.Reopen);
        harness.FailToWrite(harness.BatchNow("b"));
        files.OnOpen = null;
        harness.Write("c");

        Assert.False(await answer);
        Assert.Equal("c\n", harness.Read("shop.log"));
    }

    [Fact]
    public async Task What_nobody_will_do_any_more_is_refused()
    {
        using var harness = new SinkHarness();
        harness.Write("a");
        Task<bool> waiting = harness.Sink.RequestAsync(FileRequest.Roll);

        await harness.Sink.DisposeAsync();

        Assert.False(await waiting);
        Assert.False(await harness.Sink.RequestAsync(FileRequest.Roll));
        Assert.True(harness.Sink.HasEnded);
    }
}
