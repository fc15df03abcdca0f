using System.Globalization;
using System.Text;

namespace AsyncLog.Tests.Checks;

/// <summary>What is found at a destination, in the order in which it was delivered, and what is wrong with it by itself.</summary>
/// <param name="records">The records of the run.</param>
/// <param name="mayReorder">True if the order is not checked.</param>
internal sealed class Arrivals(OfferedRecords records, bool mayReorder = false)
{
    private readonly int[] _copies = new int[records.Count];
    private readonly string?[] _places = new string?[records.Count];
    private readonly Dictionary<int, int> _lastNumbers = [];
    private readonly Dictionary<string, long> _announced = new(StringComparer.Ordinal);

    /// <summary>The first fault; null: none.</summary>
    public string? Fault { get; private set; }

    /// <summary>Copies of a record.</summary>
    public int CopiesOf(int id) => _copies[id];

    /// <summary>Where the copies of a record are.</summary>
    public string? PlacesOf(int id) => _places[id];

    /// <summary>Records whose loss was announced, by reason.</summary>
    public IReadOnlyDictionary<string, long> Announced => _announced;

    /// <summary>Adds a record. The first copies of one caller's records come in the order of their numbers.</summary>
    public void Add(int id, string where)
    {
        var record = records[id];
        if (!record.IsAccepted)
            Fault ??= $"record {id} was refused, and is {where}";
        _places[id] = _places[id] is { } places ? $"{places}, {where}" : where;
        if (++_copies[id] > 1)
            return;
        var last = _lastNumbers.GetValueOrDefault(record.Caller, -1);
        if (record.Number < last && record.MayComeLate)
            return;
        if (record.Number < last && !mayReorder)
            Fault ??= $"record {id} of caller {record.Caller} with number {record.Number} is {where}, after its number {last}";
        _lastNumbers[record.Caller] = record.Number;
    }

    /// <summary>Adds a notice: <c>!queue_full 12;</c></summary>
    public void AddNotice(ReadOnlySpan<byte> line, string where)
    {
        var parts = Encoding.UTF8.GetString(line[1..^1]).Split(' ');
        if (parts.Length != 2 || !long.TryParse(parts[1], CultureInfo.InvariantCulture, out var count))
            Fault ??= $"a notice is not whole {where}: {Encoding.UTF8.GetString(line)}";
        else
            _announced[parts[0]] = _announced.GetValueOrDefault(parts[0]) + count;
    }

    public void AddFault(string fault) => Fault ??= fault;
}
