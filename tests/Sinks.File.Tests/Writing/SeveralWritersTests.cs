using System.Text;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Writing;

/// <summary>Several hosts on one path. In one process they even share the name of successors, which processes do not.</summary>
public sealed class SeveralWritersTests
{
    private const int Writers = 8;
    private const int Records = 1000;

    [Theory]
    [InlineData(null, 1)]
    [InlineData(null, 20)]
    [InlineData(64 << 10, 1)]
    [InlineData(64 << 10, 20)]
    [InlineData(4 << 10, 7)]
    [NotUnderWine("it appends in two steps")]
    public void No_record_is_lost_torn_or_duplicated_while_all_writers_append_and_roll(int? limit, int perBatch)
    {
        using var folder = new TempFolder();
        var options = new AsyncFileLoggerOptions { Path = folder.File("shop.log"), FileSizeLimit = limit, RetainedFileCountLimit = null };
        var threads = new Thread[Writers];
        var faults = new Exception?[Writers];
        for (int i = 0; i < Writers; i++)
        {
            int writer = i;
            threads[i] = new Thread(() => faults[writer] = Record.Exception(() => WriteAll(options, writer, perBatch)));
            threads[i].Start();
        }

        foreach (Thread thread in threads)
            thread.Join();

        Assert.All(faults, Assert.Null);
        Assert.DoesNotContain(folder.Names, name => name.EndsWith(".tmp", StringComparison.Ordinal));
        string[] lines = [.. folder.Names.SelectMany(name => folder.Read(name).Split('\n')[..^1])];
        Assert.Equal(
            Enumerable.Range(0, Writers).SelectMany(writer => Enumerable.Range(0, Records).Select(record => Line(writer, record))).Order(StringComparer.Ordinal),
            lines.Order(StringComparer.Ordinal));
    }

    private static void WriteAll(AsyncFileLoggerOptions options, int writer, int perBatch)
    {
        var sink = new FileSink(
            new LogFileSettings(options), new CapturingContext(TimeProvider.System), FileSystems.ForThisPlatform(), new LogFileRegistry(),
            background: static action => action());
        for (int record = 0; record < Records; record += perBatch)
        {
            BatchRecord[] records =
            [
                .. Enumerable.Range(record, Math.Min(perBatch, Records - record)).Select(number => new BatchRecord(
                    Encoding.ASCII.GetBytes(Line(writer, number) + "\n"), LogLevel.Information, TimeProvider.System.GetUtcNow(), "Test")),
            ];
            LogBatch batch = LogBatch.Create(records);
            while (batch.Count > 0)
                sink.WriteAsync(batch, CancellationToken.None).AsTask().GetAwaiter().GetResult();
        }

        sink.DisposeAsync().AsTask().GetAwaiter().GetResult();
    }

    private static string Line(int writer, int record) => $"<{writer} {record:0000} {new string((char)('a' + writer), 40 + (record % 100))}>";
}
