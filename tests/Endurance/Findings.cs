using System.Globalization;

namespace AsyncLog.Tests;

/// <summary>What is wrong in one respect; the first are kept, all are counted. Used by one thread at a time.</summary>
internal sealed class Findings
{
    private const int Kept = 100;
    private readonly List<string> _texts = [];

    public int Count { get; private set; }

    public void Add(FormattableString text)
    {
        Count++;
        if (_texts.Count < Kept)
            _texts.Add(text.ToString(CultureInfo.InvariantCulture));
    }

    public IEnumerable<string> First(int count) => _texts.Take(count);
}
