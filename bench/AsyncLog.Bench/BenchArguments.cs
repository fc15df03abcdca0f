using System.Globalization;

namespace AsyncLog.Bench;

/// <summary>The command line: <c>--name value</c> pairs and switches.</summary>
internal sealed class BenchArguments
{
    private readonly Dictionary<string, string> _values = new(StringComparer.Ordinal);

    public BenchArguments(IEnumerable<string> arguments)
    {
        string? name = null;
        foreach (var argument in arguments)
        {
            if (argument.StartsWith("--", StringComparison.Ordinal))
            {
                name = argument[2..];
                _values[name] = "";
            }
            else if (name is null)
            {
                throw new ArgumentException($"'{argument}' is not an option");
            }
            else
            {
                _values[name] = argument;
                name = null;
            }
        }
    }

    public IReadOnlyCollection<string> Names => _values.Keys;

    public bool Has(string name) => _values.ContainsKey(name);

    public string Text(string name, string otherwise) => _values.TryGetValue(name, out var value) && value.Length > 0 ? value : otherwise;

    public int Number(string name, int otherwise)
        => _values.TryGetValue(name, out var value) && value.Length > 0 ? int.Parse(value, CultureInfo.InvariantCulture) : otherwise;

    /// <summary>Gives an option a value where the command line does not.</summary>
    public void Otherwise(string name, string value) => _values.TryAdd(name, value);

    /// <summary>A default: the full one, or the one of <c>--quick</c>.</summary>
    public int Quick(int full, int quick) => Has("quick") ? quick : full;

    /// <summary>Those of a mode's libraries that <c>--libraries</c> names; all without it.</summary>
    public IReadOnlyList<string> Choose(IReadOnlyList<string> libraries)
    {
        var wanted = Text("libraries", "").Split(',', StringSplitOptions.RemoveEmptyEntries);
        return wanted.Length == 0 ? libraries : [.. libraries.Where(library => wanted.Contains(library, StringComparer.Ordinal))];
    }

    public IReadOnlyList<int> Numbers(string name, string otherwise)
        => [.. Text(name, otherwise).Split(',').Select(static part => int.Parse(part, CultureInfo.InvariantCulture))];
}
