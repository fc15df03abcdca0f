using System.Text;
using AsyncLog.Tests.Disk;

namespace AsyncLog.Tests.Checks;

/// <summary>Reads all files of a disk, those that were deleted included.</summary>
internal static class FileArrivals
{
    /// <param name="disk">The disk.</param>
    /// <param name="records">The records of the run.</param>
    /// <param name="mayDelete">True if the product may delete files with records.</param>
    public static Arrivals Read(SimulatedDisk disk, OfferedRecords records, bool mayDelete)
    {
        var arrivals = Read(disk.Files.Where(static file => file.RemovedBy != Remover.PowerLoss), records);
        foreach (var file in disk.Files)
        {
            // A successor has no content until it has its name; after a power loss it may have lost the name, which was not synced.
            if (file.RemovedBy == Remover.Process && !mayDelete && !file.IsLeftInTheMaking && file.Bytes.Contains((byte)'#'))
                arrivals.AddFault($"file {file.Number} with records was deleted by the product");
        }

        return arrivals;
    }

    /// <summary>Reads files in the order in which they were written, also where writing went from one to the other and back.</summary>
    public static Arrivals Read(IEnumerable<Inode> files, OfferedRecords records, bool mayReorder = false)
    {
        var arrivals = new Arrivals(records, mayReorder);
        var found = new List<(long Order, int Offset, int Id, string Where)>();
        foreach (var file in files)
            Read(file, records, arrivals, found);
        found.Sort(static (left, right) => (left.Order, left.Offset).CompareTo((right.Order, right.Offset)));
        foreach (var (_, _, id, where) in found)
            arrivals.Add(id, where);
        return arrivals;
    }

    private static void Read(Inode file, OfferedRecords records, Arrivals arrivals, List<(long Order, int Offset, int Id, string Where)> found)
    {
        var fragments = 0;
        var offset = 0;
        var where = $"in file {file.Number}";
        while (offset < file.Length)
        {
            var begin = offset;
            var rest = file.Bytes[begin..];
            var end = rest.IndexOf((byte)'\n');
            var line = end < 0 ? rest : rest[..end];
            offset += end < 0 ? rest.Length : end + 1;
            // The zeros of lost sectors take the line end with them. What follows them may have been written much later.
            var isInHole = file.HasHoles && line.Contains((byte)0);
            var zeros = isInHole ? line.LastIndexOf((byte)0) + 1 : 0;
            line = line[zeros..];
            begin += zeros;
            var kind = records.Read(line, out var id);
            if (kind is LineKind.Record or LineKind.Notice && end < 0)
                kind = LineKind.Fragment;
            switch (kind)
            {
                case not LineKind.Record when isInHole:
                    break;
                case LineKind.Record:
                    found.Add((file.OrderOf(begin), begin, id, where));
                    break;
                case LineKind.Notice:
                    arrivals.AddNotice(line, where);
                    break;
                case LineKind.Header when begin == 0:
                case LineKind.Garbage when begin == 0 && line.IsEmpty && file.WasTruncated:
                    break;
                case LineKind.Fragment:
                    fragments++;
                    break;
                default:
                    arrivals.AddFault($"the line at {begin} {where} is no record: {Encoding.UTF8.GetString(line)}");
                    break;
            }
        }

        if (fragments > file.Tears)
            arrivals.AddFault($"{fragments} lines are torn {where}, and {file.Tears} may be");
    }
}
