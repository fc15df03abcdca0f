using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;

namespace AsyncLog.Tests;

/// <summary>Reads every line of every file and says what is wrong with it.</summary>
internal sealed partial class FileJudge
{
    private const int Preview = 160;
    private static readonly byte[] Prefix = Encoding.ASCII.GetBytes(EnduranceRecord.Category + ": ");
    private readonly ThreadLedger[] _ledgers;
    private readonly Dictionary<string, long[]> _lastOfCopies = new(StringComparer.Ordinal);

    /// <param name="calls">The calls made, by thread.</param>
    public FileJudge(long[] calls) => _ledgers = [.. calls.Select((count, thread) => new ThreadLedger(thread, count, Twice, Order))];

    public Findings Torn { get; } = new();

    public Findings Nuls { get; } = new();

    public Findings Twice { get; } = new();

    public Findings Order { get; } = new();

    public int Files { get; private set; }

    /// <summary>Whole lines of the producers.</summary>
    public long Lines { get; private set; }

    /// <summary>Gap notices, and the drops they announce.</summary>
    public int Notices { get; private set; }

    public long Announced { get; private set; }

    /// <summary>Calls whose record was not read.</summary>
    public long Missing => _ledgers.Sum(static ledger => ledger.Missing);

    /// <summary>Calls whose record was not read although an older one of the same thread was.</summary>
    public long MissingSinceFirst => _ledgers.Sum(static ledger => ledger.MissingSinceFirst);

    public void Read(IEnumerable<(string Name, byte[] Content, bool IsCopy)> evidence)
    {
        foreach (var (name, content, isCopy) in evidence)
        {
            Files++;
            if (content.AsSpan().IndexOf((byte)0) is >= 0 and var at)
                Nuls.Add($"{name}: at {at} of {content.Length}");
            ReadLines(name, content, isCopy);
            long[] last = [.. _ledgers.Select(ledger => ledger.EndFile(name))];
            if (isCopy)
                _lastOfCopies[name] = last;
        }

        foreach (var ledger in _ledgers)
            ledger.CheckOrderOfFiles();
    }

    /// <summary>What is missing between the end of a copy and the truncation that followed it.</summary>
    public long MissingIn(Act act) => act.Copy is null ? 0
        : _ledgers.Select((ledger, thread) => ledger.MissingBetween(_lastOfCopies[act.Copy][thread], act.Marks[thread])).Sum();

    [GeneratedRegex("^AsyncLog: ([0-9]+) records dropped [0-9:.]+–[0-9:.]+ \\([a-z_]+\\): [A-Za-z0-9, ]+$", RegexOptions.CultureInvariant, 1000)]
    private static partial Regex Notice();

    private void ReadLines(string name, ReadOnlySpan<byte> content, bool isCopy)
    {
        var rest = content;
        while (!rest.IsEmpty)
        {
            var end = rest.IndexOf((byte)'\n');
            if (end < 0 && isCopy)
                return;
            var line = end < 0 ? rest : rest[..end];
            if (end < 0 || !TryTake(line, name))
                Torn.Add($"{name}: at {content.Length - rest.Length} of {content.Length}: {Encoding.UTF8.GetString(line[..Math.Min(Preview, line.Length)])}");
            rest = end < 0 ? [] : rest[(end + 1)..];
        }
    }

    private bool TryTake(ReadOnlySpan<byte> line, string name)
    {
        if (line.StartsWith(Prefix))
        {
            if (EnduranceRecord.Parse(line[Prefix.Length..]) is not { } record
                || record.Thread < 0 || record.Thread >= _ledgers.Length || !_ledgers[record.Thread].Take(record.Sequence, name))
                return false;
            Lines++;
            return true;
        }

        var match = Notice().Match(Encoding.UTF8.GetString(line));
        if (!match.Success)
            return false;
        Notices++;
        Announced += long.Parse(match.Groups[1].ValueSpan, CultureInfo.InvariantCulture);
        return true;
    }
}
