using System.Globalization;

namespace AsyncLog.Tests;

/// <summary>What was expected and whether it holds, printed as it is found.</summary>
internal sealed class Checks
{
    private const int FindingsShown = 20;
    private int _passed;
    private int _failed;
    private int _skipped;

    public static void Say(FormattableString text) => Console.WriteLine(text.ToString(CultureInfo.InvariantCulture));

    public void That(string expectation, bool holds, FormattableString found)
    {
        if (holds)
            _passed++;
        else
            _failed++;
        Say($"{(holds ? "passed" : "FAILED")}: {expectation} ({found.ToString(CultureInfo.InvariantCulture)})");
    }

    public void None(string expectation, Findings findings)
    {
        That(expectation, findings.Count == 0, $"{findings.Count} findings");
        foreach (var finding in findings.First(FindingsShown))
            Say($"  {finding}");
    }

    public void Skip(string expectation, string reason)
    {
        _skipped++;
        Say($"skipped: {expectation} ({reason})");
    }

    /// <returns>The exit code.</returns>
    public int Finish()
    {
        Say($"{_passed} passed, {_failed} failed, {_skipped} skipped");
        return _failed == 0 ? 0 : 1;
    }
}
