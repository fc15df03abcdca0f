using System.Text;

namespace AsyncLog.Simulation;

/// <summary>Reads all files of a disk, those that were deleted included.</summary>
internal static class FileArrivals
{
    /// <param name="disk">The disk.</param>
    /// <param name="records">The records of the run.</param>
    /// <param name="mayDelete">True if the product may delete files with records.</param>
    public static Arrivals Read(SimulatedDisk disk, OfferedRecords records, bool mayDelete)
    {
        var arrivals = new Arrivals(records);
        foreach (var file in disk.Files.Where(static file => file.RemovedBy != Remover.PowerLoss).OrderBy(static file => file.Order))
        {
            var found = Read(file, records, arrivals);
            if (found > 0 && file.RemovedBy == Remover.Process && !mayDelete)
                arrivals.AddFault($"file {file.Number} with {found} records was deleted by the product");
        }

        return arrivals;
    }

    /// <summary>Reads one file.</summary>
    /// <returns>The records that it has.</returns>
    public static int Read(Inode file, OfferedRecords records, Arrivals arrivals)
    {
        var fragments = 0;
        var found = 0;
        var number = 0;
        var where = $"in file {file.Number}";
        for (var rest = file.Bytes; !rest.IsEmpty; number++)
        {
            var end = rest.IndexOf((byte)'\n');
            var line = end < 0 ? rest : rest[..end];
            rest = end < 0 ? default : rest[(end + 1)..];
            var kind = records.Read(line, out var id);
            if (kind is LineKind.Record or LineKind.Notice && end < 0)
                kind = LineKind.Fragment;
            switch (kind)
            {
                case LineKind.Record:
                    arrivals.Add(id, where);
                    found++;
                    break;
                case LineKind.Notice:
                    arrivals.AddNotice(line, where);
                    break;
                case LineKind.Header when number == 0:
                    break;
                case LineKind.Fragment:
                    fragments++;
                    break;
                default:
                    arrivals.AddFault($"line {number} {where} is no record: {Encoding.UTF8.GetString(line)}");
                    break;
            }
        }

        if (fragments > file.Tears)
            arrivals.AddFault($"{fragments} lines are torn {where}, and {file.Tears} may be");
        return found;
    }
}
