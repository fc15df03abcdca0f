using System.Collections.Concurrent;
using System.Diagnostics.Tracing;

namespace AsyncLog.Tests;

public sealed class FileEventTests
{
    [Fact]
    public void OB_40_What_happens_to_a_file_is_told_with_its_path()
    {
        using var harness = new SinkHarness(static options =>
        {
            options.FileSizeLimit = 4096;
            options.RetainedFileCountLimit = 2;
        });
        using var events = new FolderEvents(harness.Folder["."].TrimEnd('.', '/'));
        for (int i = 0; i < 3; i++)
            harness.Write(new string('x', 3999));
        string path = harness.Folder["shop.log"];
        Assert.Equal([path, 0L], events.Of("FileOpened").First().Skip(1));
        object?[] rolled = events.Of("FileRolled").First();
        Assert.Equal(harness.Folder["shop.2026-11-20.001.log"], rolled[1]);
        Assert.Equal([path, "size"], rolled.Skip(2));
        Assert.Equal("count", events.Of("FileDeleted").Single()[2]);
        Assert.Empty(events.Of("FileError"));
        Assert.DoesNotContain(events.All, static payload => payload.Any(static value => value is string text && text.Contains("xxx", StringComparison.Ordinal)));
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
