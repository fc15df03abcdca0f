using System.Globalization;
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace AsyncLog.Tool;

/// <summary>The command <c>asynclog recover</c>: finds the segments of a process in a core dump, or in the file of a crash buffer. It only reads.</summary>
internal static unsafe class RecoverCommand
{
    /// <summary>Its part of the usage.</summary>
    public const string Usage = """
        asynclog recover FILE [--json]      records that had no outcome yet in a core dump, or in a file of a crash buffer, by their time

        With a mark of the last write only those from it on: the ones before are in the log file.
        """;

    private const int Success = 0;
    private const int Nothing = 1;
    private const int Misused = 2;
    private const int Window = 16 << 20;

    /// <summary>Runs the command.</summary>
    /// <returns>0; 1: there are no records; 2: there is no such file.</returns>
    public static int Run(string path, RecordOutput records, TextWriter errors)
    {
        if (!File.Exists(path))
        {
            errors.WriteLine($"asynclog: there is no file {path}");
            return Misused;
        }

        using var file = File.OpenHandle(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
        var names = ReadNames(file);
        var blocks = Blocks(file);
        if (blocks.Count == 0)
        {
            errors.WriteLine($"asynclog: {path} has no segment of AsyncLog: it is neither a core dump of a process that logs with it nor a file of a crash buffer");
            return Nothing;
        }

        var segments = blocks.Select(offset => Read(file, offset)).OfType<Segment>().ToList();
        segments.Sort(static (left, right) => (left.Slots[0].Ticks, left.Sequence).CompareTo((right.Slots[0].Ticks, right.Sequence)));
        foreach (var segment in segments)
        {
            foreach (var slot in segment.Slots)
                records.Write(slot, segment.Bytes.Span, NameOf(names, Slot.Category(slot.Word)));
        }

        errors.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{segments.Sum(static segment => (long)segment.Count)} records in {segments.Count} segments"));
        return segments.Count > 0 ? Success : Nothing;
    }

    // Numbers of a dump have no names: those are elsewhere in the process.
    private static string NameOf(IReadOnlyList<string> names, int number) => number < names.Count ? names[number] : string.Create(CultureInfo.InvariantCulture, $"#{number}");

    private static IReadOnlyList<string> ReadNames(SafeFileHandle file)
    {
        var head = new byte[Math.Min(RandomAccess.GetLength(file), 1 << 20)];
        Fill(file, head, 0);
        return CrashRegion.ReadNames(head);
    }

    // A dump is larger than memory: it is read window by window, and the end of each once more with the next one.
    private static List<long> Blocks(SafeFileHandle file)
    {
        var window = new byte[Window];
        var length = RandomAccess.GetLength(file);
        var found = new List<long>();
        for (long begin = 0; begin < length; begin += Window - SegmentMemory.HeaderLength)
        {
            var read = Fill(file, window, begin);
            for (var at = 0; window.AsSpan(at, read - at).IndexOf(SegmentMemory.Magic) is >= 0 and var next; at += next + 1)
            {
                // One in the part that is read again is found there.
                if (at + next < Window - SegmentMemory.HeaderLength)
                    found.Add(begin + at + next);
            }
        }

        return found;
    }

    private static Segment? Read(SafeFileHandle file, long offset)
    {
        var header = new byte[SegmentMemory.HeaderLength];
        Fill(file, header, offset);
        if (SegmentMemory.ReadGeometry(header) is not var (slots, bytes))
            return null;
        var length = SegmentMemory.LengthOf(slots, bytes);
        if (offset + SegmentMemory.HeaderLength > RandomAccess.GetLength(file) - (slots * sizeof(Slot)) || length > Array.MaxLength)
            return null;
        // Bytes that are missing at the end of a dump count as zeros.
        var block = GC.AllocateArray<byte>((int)length, pinned: true);
        Fill(file, block, offset);
        var left = new CrashRegionContents(file: null) { WireId = 0, ProcessId = 0, CreatedTicks = 0, Names = [] };
        left.Add(new SegmentMemory((byte*)Marshal.UnsafeAddrOfPinnedArrayElement(block, 0), block, slots, bytes, isNew: false));
        return left.Blocks.Count == 0 ? null : left.Copy(left.Blocks[0], static number => number);
    }

    private static int Fill(SafeFileHandle file, Span<byte> target, long offset)
    {
        var done = 0;
        while (done < target.Length && RandomAccess.Read(file, target[done..], offset + done) is > 0 and var read)
            done += read;
        return done;
    }
}
