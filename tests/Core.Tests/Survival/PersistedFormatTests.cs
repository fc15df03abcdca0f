using System.IO.Compression;
using System.Text;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Survival;

/// <summary>Files that an earlier build wrote, in tests/vectors/formats: a process reads what a killed process of an earlier version left. When a test fails after a change of
/// a layout, raise the version of the format instead of replacing the file. <c>ASYNCLOG_WRITE_FORMATS=1</c> writes files that are missing.</summary>
public sealed unsafe class PersistedFormatTests
{
    private const ulong WireId = 0x1122334455667788;
    private static readonly QueueBounds Bounds = new(2, 100, 4096);

    private static readonly (string Text, LogLevel Level, long Ticks, string Category)[] Records =
    [
        ("first\n", LogLevel.Trace, 638_000_000_000_000_000, "Shop.Orders"),
        ("zweite Zeile, ü\n", LogLevel.Information, 638_000_000_000_000_001, "Shop.Orders"),
        (new string('x', 300) + "\n", LogLevel.Critical, 638_000_000_000_000_999, "Shop.Payments"),
    ];

    private static string Folder => Path.Combine(Repository.Root, "tests", "vectors", "formats");

    [Fact]
    public void A_spool_file_of_version_1_is_read()
    {
        var file = ReadOrWrite("spool-1.gz", WriteSpoolFile);
        var header = SegmentFile.ReadHeader(file);
        Assert.NotNull(header);
        Assert.Equal((3, WireId, Records[0].Ticks, Records[^1].Ticks), (header.Records, header.WireId, header.FirstTicks, header.LastTicks));
        var names = new List<string>();
        var (bytes, slots) = SegmentFile.ReadRecords(file, header, name =>
        {
            names.Add(name);
            return names.Count - 1;
        });
        Assert.Equal(Records, slots.Select(slot => Read(slot, bytes, number => names[number])));
        Assert.Equal(file, WriteSpoolFile());
    }

    [Fact]
    public void A_crash_buffer_of_version_1_is_read()
    {
        Assert.True(CrashRegion.TryRead(FileOf(ReadOrWrite("crash-1.gz", WriteRegion)), out var left));
        Assert.NotNull(left);
        Assert.Equal((WireId, 3L, 0L, 638_000_000_000_000_000), (left.WireId, left.Records, left.Uncommitted, left.CreatedTicks));
        var block = Assert.Single(left.Blocks);
        Assert.Equal(Records, block.Slots[..3].ToArray().Select(slot => Read(slot, block.Bytes.ToArray(), left.NameOf)));
    }

    [Fact]
    public void A_version_to_come_is_not_read_as_this_one()
    {
        var spooled = ReadOrWrite("spool-1.gz", WriteSpoolFile);
        spooled[7] = 2;
        Assert.Null(SegmentFile.ReadHeader(spooled));
        Assert.True(SegmentFile.IsOtherVersion(spooled));

        var region = ReadOrWrite("crash-1.gz", WriteRegion);
        region[7] = 2;
        var file = FileOf(region);
        Assert.True(CrashRegion.TryRead(file, out var left));
        Assert.Null(left);
        Assert.True(CrashRegion.IsOtherVersion(file));
    }

    // Numbers that a compiler cannot check. A change of one of them changes a file format.
    [Fact]
    public void The_bits_of_slot_and_state_word_are_those_of_version_1()
    {
        Assert.Equal(0x0000_5000_4740_0123, Slot.Pack(offset: 20, length: 286, LogLevel.Debug, category: 18));
        Assert.Equal(0x0000_0600_0180_0009, StateWord.Claimed(StateWord.Claimed(StateWord.Claimed(StateWord.Fresh(3), 4), 4), 1));
        Assert.Equal("AsyncLog segment, layout 1", Encoding.ASCII.GetString(SegmentMemory.Magic[..26]));
        Assert.Equal((256, 16), (SegmentMemory.HeaderLength, sizeof(Slot)));
    }

    private static (string, LogLevel, long, string) Read(Slot slot, byte[] bytes, Func<int, string> nameOf)
        => (Encoding.UTF8.GetString(bytes, Slot.Offset(slot.Word), Slot.Length(slot.Word)), Slot.Level(slot.Word), slot.Ticks, nameOf(Slot.Category(slot.Word)));

    private static byte[] ReadOrWrite(string name, Func<byte[]> write)
    {
        var path = Path.Combine(Folder, name);
        if (!File.Exists(path) && Environment.GetEnvironmentVariable("ASYNCLOG_WRITE_FORMATS") == "1")
        {
            using var target = new GZipStream(File.Create(path), CompressionLevel.SmallestSize);
            target.Write(write());
        }

        using var source = new GZipStream(File.OpenRead(path), CompressionMode.Decompress);
        using var content = new MemoryStream();
        source.CopyTo(content);
        return content.ToArray();
    }

    private static ICrashFile FileOf(byte[] content)
    {
        var file = new MemoryCrashFiles().Create("/memory/region", content.Length)!;
        content.CopyTo(new Span<byte>(file.Address, content.Length));
        return file;
    }

    private static byte[] WriteSpoolFile()
    {
        var categories = new CategoryTable();
        var bytes = new List<byte>();
        var slots = new List<Slot>();
        foreach (var (text, level, ticks, category) in Records)
        {
            var encoded = Encoding.UTF8.GetBytes(text);
            slots.Add(new Slot { Ticks = ticks, Word = Slot.Pack(bytes.Count, encoded.Length, level, categories.Add(category)) });
            bytes.AddRange(encoded);
        }

        var image = SegmentFile.Encode([.. slots], bytes.ToArray(), WireId, categories);
        return [.. image.Head, .. image.Bytes.Span];
    }

    private static byte[] WriteRegion()
    {
        var file = new MemoryCrashFiles().Create("/memory/region", CrashRegion.LengthOf(Bounds))!;
        var categories = new CategoryTable();
        var region = new CrashRegion(file, Bounds, WireId, categories, 638_000_000_000_000_000);
        var queue = new SegmentQueue(Bounds, new QueueRules(), TimeProvider.System, new SinkMetrics(), new InstanceQueueState(), memoryOf: region.Block);
        foreach (var (text, level, ticks, category) in Records)
            Assert.Equal(WriteOutcome.Accepted, queue.TryWrite(Encoding.UTF8.GetBytes(text), level, ticks, categories.Add(category)));
        return new Span<byte>(file.Address, (int)file.Length).ToArray();
    }
}
