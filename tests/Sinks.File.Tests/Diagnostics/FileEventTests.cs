using System.Collections.Concurrent;
using System.Diagnostics.Tracing;
using AsyncLog.Tests.Disk;

namespace AsyncLog.Tests.Diagnostics;

public sealed class FileEventTests
{
    [Fact]
    public void What_happens_to_a_file_is_told_with_its_path()
    {
        using var harness = new SinkHarness(static options =>
        {
            options.FileSizeLimit = 4096;
            options.RetainedFileCountLimit = 2;
        });
        using var events = new FolderEvents(harness.Folder.Path);
        for (int i = 0; i < 3; i++)
            harness.Write(new string('x', 3999));
        string path = harness.Folder.File("shop.log");
        string first = harness.Folder.File("shop.2026-11-20.001.log");
        Assert.Equal<object?[]>([[path, 0L], [path, 0L], [path, 0L]], ToldOf("FileOpened"));
        Assert.Equal<object?[]>([[first, path, "size"], [harness.Folder.File("shop.2026-11-20.002.log"), path, "size"]], ToldOf("FileRolled"));
        Assert.Equal<object?[]>([[first, "count"]], ToldOf("FileDeleted"));
        Assert.Empty(events.Of("FileError"));
        Assert.DoesNotContain(events.All, static payload => payload.Any(static value => value is string text && text.Contains("xxx", StringComparison.Ordinal)));

        // Without the name of the instance.
        IEnumerable<object?[]> ToldOf(string name) => events.Of(name).Select(static payload => payload[1..]);
    }

    [Fact]
    public void What_fails_every_second_is_counted_each_time_and_told_once_a_minute()
    {
        var files = new FaultyFileSystem { OnArchive = static _ => FileErrorClass.Permission };
        using var harness = new SinkHarness(static options => options.FileSizeLimit = 4096, files);
        using var events = new FolderEvents(harness.Folder.Path);
        harness.Write(new string('x', 3999));
        for (int second = 0; second <= 60; second++)
        {
            harness.Write(new string('x', 999));
            harness.Clock.PassSeconds(1);
        }

        Assert.Equal(Enumerable.Repeat(FileErrorClass.Permission, 61), harness.Context.Errors);
        string path = harness.Folder.File("shop.log");
        string cause = $"made to fail: {harness.Folder.File("shop.2026-11-20.001.log")} "
            + "(permission denied: let the user of the process write there or change Path)";
        Assert.Equal<object?[]>(
            [["roll", path, FileErrorClass.Permission, cause], ["roll", path, FileErrorClass.Permission, $"{cause} (59 more since the last event)"]],
            events.Of("FileError").Select(static payload => payload[1..]));
    }

    [Fact]
    public void Another_operation_and_another_class_are_told_at_once()
    {
        var files = new FaultyFileSystem();
        using var harness = new SinkHarness(files: files);
        using var events = new FolderEvents(harness.Folder.Path);
        harness.Write("written");
        files.OnAppend = static _ => 0;
        LogBatch batch = harness.BatchNow("a");
        foreach (string errorType in (string[])[FileErrorClass.NoSpace, FileErrorClass.NoSpace, FileErrorClass.Quota, FileErrorClass.NoSpace])
        {
            files.WriteError = errorType;
            harness.FailToWrite(batch);
        }

        files.OnArchive = static _ => FileErrorClass.NoSpace;
        _ = harness.Sink.RequestAsync(FileRequest.Roll);
        harness.RunDue();

        Assert.Equal(
            [("write", FileErrorClass.NoSpace), ("write", FileErrorClass.Quota), ("roll", FileErrorClass.NoSpace)],
            events.Of("FileError").Select(static payload => ((string)payload[1]!, (string)payload[3]!)));
    }

    [Fact]
    public void A_file_that_cannot_be_opened_is_named()
    {
        var files = new FaultyFileSystem { OnOpen = static _ => FileErrorClass.Permission };
        using var harness = new SinkHarness(files: files);
        using var events = new FolderEvents(harness.Folder.Path);

        harness.FailToWrite(harness.BatchNow("a"));

        Assert.Equal(["open", harness.Folder.File("shop.log")], events.Of("FileError").Single().Skip(1).Take(2));
    }

    [Fact]
    public void A_file_that_cannot_be_compressed_is_named()
    {
        var files = new FaultyFileSystem { OnPublish = static path => path.Contains(".gz.", StringComparison.Ordinal) ? FileErrorClass.Permission : null };
        using var harness = new SinkHarness(
            static options =>
            {
                options.FileSizeLimit = 4096;
                options.Compression = CompressionMethod.Gzip;
            },
            files);
        using var events = new FolderEvents(harness.Folder.Path);
        harness.Write(new string('x', 3999));
        harness.Write(new string('x', 3999));
        harness.Clock.PassSeconds(2);
        harness.RunDue();

        Assert.Equal(["compress", harness.Folder.File("shop.2026-11-20.001.log")], events.Of("FileError").Single().Skip(1).Take(2));
    }

    // Other tests write files too, elsewhere.
    private sealed class FolderEvents(string folder) : EventListener
    {
        private readonly ConcurrentQueue<(string Name, object?[] Payload)> _events = new();

        public IEnumerable<object?[]> All => _events.Select(static told => told.Payload);

        public IEnumerable<object?[]> Of(string name) => _events.Where(told => told.Name == name).Select(static told => told.Payload);

        protected override void OnEventSourceCreated(EventSource eventSource)
        {
            if (eventSource.Name == "AsyncLog-Diagnostics")
                EnableEvents(eventSource, EventLevel.Verbose, EventKeywords.All);
        }

        protected override void OnEventWritten(EventWrittenEventArgs eventData)
        {
            // The base class may call before the constructor has run.
            if (folder is not null && eventData.Payload?.Any(value => value is string text && text.Contains(folder, StringComparison.Ordinal)) == true)
                _events.Enqueue((eventData.EventName!, [.. eventData.Payload]));
        }
    }
}
