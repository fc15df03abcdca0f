using System.Globalization;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tool;

/// <summary>The command <c>asynclog spool</c>. It only reads, and may run beside the process that writes.</summary>
internal static class SpoolCommand
{
    /// <summary>Its part of the usage.</summary>
    public const string Usage = """
        asynclog spool list DIR             one line per directory: files, records by level, bytes, times
        asynclog spool export DIR [--json]  the records in the order in which they are sent, as their bytes and nothing between them, or as JSON lines;
                                            on a terminal as text in which control characters are escaped
        asynclog spool verify DIR           checks every record; ends with 1 when one is damaged or of another version

        DIR is the SpoolPath of the configuration, or a directory in it. Files in "rejected" and "foreign" are included.
        """;

    private const int Success = 0;
    private const int Damaged = 1;
    private const int Misused = 2;

    /// <summary>Runs the command.</summary>
    /// <param name="verb"><c>list</c>, <c>export</c> or <c>verify</c>.</param>
    /// <returns>0; 1: a record is damaged or of another version; 2: there is no such directory, or a directory or a file in it cannot be read. The rest is read all the
    /// same.</returns>
    public static int Run(string verb, string directory, RecordOutput records, TextWriter output, TextWriter errors)
    {
        if (!Directory.Exists(directory))
        {
            errors.WriteLine($"asynclog: there is no directory {directory}");
            return Misused;
        }

        var isComplete = true;
        var spools = PathsBelow(directory)
            .Select(path => Try(() => new SpoolFile(path), otherwise: null))
            .OfType<SpoolFile>()
            .Where(static file => file.Name is not null)
            .GroupBy(static file => Path.GetDirectoryName(file.Path)!, StringComparer.Ordinal)
            .OrderBy(static spool => spool.Key, StringComparer.Ordinal)
            .Select(static spool => (spool.Key, Files: spool.OrderBy(static file => file.Name!.Sequence).ToList()))
            .ToList();
        foreach (var (path, files) in spools)
        {
            if (verb == "list")
                List(Path.GetRelativePath(directory, path), files, output);
            else if (verb == "export")
                files.ForEach(file => Export(file, records));
        }

        var damaged = spools.SelectMany(static spool => spool.Files).Where(static file => file.Missing > 0).ToList();
        if (verb != "list")
        {
            damaged.ForEach(file => errors.WriteLine(string.Create(
                CultureInfo.InvariantCulture,
                $"{file.Path}: {file.Missing} of {file.Name!.Records} records {(file.IsOtherVersion ? "are in a format of another version of AsyncLog" : "are damaged")}")));
        }

        if (verb == "verify")
            output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{spools.Sum(static spool => spool.Files.Count)} files, {spools.Sum(static spool => spool.Files.Sum(static file => file.Whole))} whole records, {damaged.Sum(static file => file.Missing)} damaged"));
        return !isComplete ? Misused : damaged.Count > 0 && verb != "list" ? Damaged : Success;

        IEnumerable<string> PathsBelow(string parent)
        {
            var (files, folders) = Try(() => (Directory.GetFiles(parent, "*" + SegmentFileName.Extension), Directory.GetDirectories(parent)), ([], []));
            // A link may lead back to a parent.
            return files.Concat(folders.Where(static folder => new DirectoryInfo(folder).LinkTarget is null).SelectMany(PathsBelow));
        }

        T Try<T>(Func<T> read, T otherwise)
        {
            try
            {
                return read();
            }
            catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
            {
                errors.WriteLine($"asynclog: {exception.Message}");
                isComplete = false;
                return otherwise;
            }
        }
    }

    private static void List(string directory, List<SpoolFile> files, TextWriter output)
    {
        var levels = Enumerable.Range(0, DropCounts.Levels).Select(level => (Level: (LogLevel)level, Count: files.Sum(file => file.Name!.Levels[level]))).Where(static level => level.Count > 0);
        var headers = files.Select(static file => file.Header).OfType<SegmentHeader>().ToList();
        var times = headers.Count == 0 ? "unreadable" : $"{RecordOutput.Time(headers[0].FirstTicks)} to {RecordOutput.Time(headers[^1].LastTicks)}";
        output.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"{directory}: {files.Count} files, {files.Sum(static file => file.Name!.Records)} records ({string.Join(", ", levels.Select(static level => $"{level.Level} {level.Count}"))}), {files.Sum(static file => file.Name!.Length)} bytes, {times}"));
    }

    private static void Export(SpoolFile file, RecordOutput records)
    {
        var categories = new List<string>();
        var (bytes, slots) = file.Read(categories);
        foreach (var slot in slots)
            records.Write(slot, bytes, categories[Slot.Category(slot.Word)]);
    }

    // A file and what can be read of it. Its records are not kept: a spool is larger than memory.
    private sealed class SpoolFile
    {
        public SpoolFile(string path)
        {
            Path = path;
            Name = SegmentFileName.Parse(System.IO.Path.GetFileName(path));
            if (Name is null || Content() is not { } content)
                return;
            IsOtherVersion = SegmentFile.IsOtherVersion(content);
            Header = SegmentFile.ReadHeader(content);
            Whole = Records(content, []).Slots.Length;
            Missing = Math.Max(0, Name.Records - Whole);
        }

        public string Path { get; }

        public SegmentFileName? Name { get; }

        public SegmentHeader? Header { get; }

        public bool IsOtherVersion { get; }

        public long Whole { get; }

        public long Missing { get; }

        public (byte[] Bytes, Slot[] Slots) Read(List<string> categories) => Content() is { } content ? Records(content, categories) : ([], []);

        private static (byte[] Bytes, Slot[] Slots) Records(byte[] content, List<string> categories)
            => SegmentFile.ReadHeader(content) is not { } header ? ([], []) : SegmentFile.ReadRecords(content, header, category =>
            {
                categories.Add(category);
                return categories.Count - 1;
            });

        // Null: the application has sent the file in the meantime, so no record is missing.
        private byte[]? Content()
        {
            try
            {
                return File.ReadAllBytes(Path);
            }
            catch (Exception exception) when (exception is FileNotFoundException or DirectoryNotFoundException)
            {
                return null;
            }
        }
    }
}
