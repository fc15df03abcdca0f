using System.Text;
using AsyncLog.Tests.Diagnostics;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests;

/// <summary>A file sink in a folder of its own, with a clock of its own, driven as a worker drives it.</summary>
internal sealed class SinkHarness : IDisposable
{
    private readonly List<Action<AsyncFileLoggerOptions>> _changes;
    private readonly IFileSystem _files;
    private FileSink? _sink;

    public SinkHarness(Action<AsyncFileLoggerOptions>? configure = null, IFileSystem? files = null, bool isReload = false)
    {
        _files = files ?? FileSystems.ForThisPlatform();
        _changes = [configure ?? (static _ => { })];
        Context = new CapturingContext(Clock) { IsReload = isReload };
    }

    public TempFolder Folder { get; } = new();

    public TestClock Clock { get; } = new();

    public CapturingContext Context { get; }

    public LogFileRegistry Registry { get; } = new();

    public FileSink Sink => _sink ??= new FileSink(Set(), Context, _files, Registry, static action => action());

    /// <summary>What it measured; of all sinks of this harness.</summary>
    public FileCounts Counters => new(Context.Instruments);

    public IReadOnlyList<string> Names => Folder.Names;

    public static LogBatch Batch(params ReadOnlySpan<(string Line, DateTimeOffset Time)> lines)
    {
        var records = new BatchRecord[lines.Length];
        for (int i = 0; i < lines.Length; i++)
            records[i] = new BatchRecord(Encoding.UTF8.GetBytes(lines[i].Line + "\n"), LogLevel.Information, lines[i].Time, "Test");
        return LogBatch.Create(records);
    }

    public LogBatch BatchOf(params ReadOnlySpan<(string Line, LogLevel Level)> lines)
    {
        var records = new BatchRecord[lines.Length];
        for (int i = 0; i < lines.Length; i++)
            records[i] = new BatchRecord(Encoding.UTF8.GetBytes(lines[i].Line + "\n"), lines[i].Level, Clock.Now, "Test");
        return LogBatch.Create(records);
    }

    public LogBatch BatchNow(params ReadOnlySpan<string> lines)
    {
        var timed = new (string, DateTimeOffset)[lines.Length];
        for (int i = 0; i < lines.Length; i++)
            timed[i] = (lines[i], Clock.Now);
        return Batch(timed);
    }

    public string Read(string name) => Folder.Read(name);

    /// <summary>Writes lines with the clock's time.</summary>
    public void Write(params ReadOnlySpan<string> lines) => Write(BatchNow(lines));

    public void WriteAt(DateTimeOffset time, string line) => Write(Batch((line, time)));

    public void Write(LogBatch batch)
    {
        Complete(Sink.WriteAsync(batch, TestContext.Current.CancellationToken));
        Assert.Equal(0, batch.Count);
    }

    public LogSinkException FailToWrite(LogBatch batch) =>
        Assert.Throws<LogSinkException>(() => Complete(Sink.WriteAsync(batch, TestContext.Current.CancellationToken)));

    /// <summary>Flushes as a worker does for somebody who waits.</summary>
    public bool Flush() => Sink.FlushAsync(TestContext.Current.CancellationToken).AsTask().GetAwaiter().GetResult();

    /// <summary>Does what is due, as a worker does between batches.</summary>
    public void RunDue()
    {
        if (Sink.NextDue <= Clock.Now)
            Complete(Sink.RunDueAsync(TestContext.Current.CancellationToken));
    }

    /// <summary>Changes options of the running sink.</summary>
    public void Apply(Action<AsyncFileLoggerOptions> change)
    {
        FileSink sink = Sink;
        _changes.Add(change);
        sink.Apply(Set());
    }

    /// <summary>The next start of the application.</summary>
    public void Restart()
    {
        Stop();
        _sink = null;
    }

    public void Dispose()
    {
        Stop();
        Folder.Dispose();
    }

    // Options in force never change: each set has its own.
    private LogFileSettings Set()
    {
        // A test does not depend on the free space of the machine.
        var options = new AsyncFileLoggerOptions { Path = Folder.File("shop.log"), MinFreeSpace = 0 };
        _changes.ForEach(change => change(options));
        if (!Path.IsPathRooted(options.Path))
            options.Path = Folder.File(options.Path!);
        return new LogFileSettings(options);
    }

    // Nothing of the file sink ends later.
    private static void Complete(ValueTask task) => task.AsTask().GetAwaiter().GetResult();

    private void Stop()
    {
        if (_sink is not null)
            Complete(_sink.DisposeAsync());
    }
}
