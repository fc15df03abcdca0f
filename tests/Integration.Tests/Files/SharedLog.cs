using System.Globalization;
using System.IO.Compression;
using System.Text.RegularExpressions;

namespace AsyncLog.Tests.Files;

/// <summary>What several FileWriters left: every record of every file, in the order of the files.</summary>
internal sealed partial class SharedLog
{
    private SharedLog(IReadOnlyDictionary<string, List<int>> records, IReadOnlyList<string> brokenLines)
    {
        Records = records;
        BrokenLines = brokenLines;
    }

    /// <summary>The numbers of each writer's records.</summary>
    public IReadOnlyDictionary<string, List<int>> Records { get; }

    /// <summary>Lines that are not exactly one record.</summary>
    public IReadOnlyList<string> BrokenLines { get; }

    /// <summary>How many records of a writer were found; while others roll the files that may be none.</summary>
    public int CountOf(string writer) => Records.TryGetValue(writer, out var numbers) ? numbers.Count : 0;

    /// <summary>Names of finished files, the oldest first.</summary>
    public static IReadOnlyList<string> Archives(string folder) =>
        [.. Directory.EnumerateFiles(folder).Select(static path => Path.GetFileName(path)).Where(static name => Archive().IsMatch(name)).Order(StringComparer.Ordinal)];

    public static int NumberOf(string archive) => int.Parse(Archive().Match(archive).Groups[1].ValueSpan, CultureInfo.InvariantCulture);

    public static SharedLog Read(string folder)
    {
        var records = new Dictionary<string, List<int>>(StringComparer.Ordinal);
        var broken = new List<string>();
        foreach (var name in (IEnumerable<string>)[.. Archives(folder), "shared.log"])
        {
            // For a moment of a roll nothing has the name.
            if (Open(Path.Combine(folder, name)) is not { } file)
                continue;
            foreach (var line in Lines(file))
                Take(line, records, broken);
        }

        return new SharedLog(records, broken);
    }

    private static void Take(string line, Dictionary<string, List<int>> records, List<string> broken)
    {
        var found = Record().Matches(line);
        if (found.Count != 1 || found[0].Length != line.Length)
            broken.Add(line);
        foreach (Match record in found)
        {
            var number = int.Parse(record.Groups[2].ValueSpan, CultureInfo.InvariantCulture);
            if (record.Groups[3].Length != 40 + (number % 60))
                broken.Add(line);
            if (!records.TryGetValue(record.Groups[1].Value, out var numbers))
                records.Add(record.Groups[1].Value, numbers = []);
            numbers.Add(number);
        }
    }

    private static FileStream? Open(string path)
    {
        try
        {
            return new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
        }
        catch (FileNotFoundException)
        {
            return null;
        }
    }

    private static IEnumerable<string> Lines(FileStream file)
    {
        using Stream content = file.Name.EndsWith(".gz", StringComparison.Ordinal) ? new GZipStream(file, CompressionMode.Decompress) : file;
        using var reader = new StreamReader(content);
        while (reader.ReadLine() is { } line)
            yield return line;
    }

    [GeneratedRegex(@"^shared\.\d{4}-(?:0\d|1[0-2])-[0-3]\d\.(\d{3,})\.log(\.gz)?$", RegexOptions.CultureInvariant)]
    private static partial Regex Archive();

    [GeneratedRegex(@"<(\w+) (\d+) (([a-z])\4*)>", RegexOptions.CultureInvariant)]
    private static partial Regex Record();
}
