using System.Runtime.CompilerServices;

namespace AsyncLog.PlatformProbe;

/// <summary>Throws where a check does not hold.</summary>
internal static class Expect
{
    private const int Shown = 5;

    public static void Equal<T>(T expected, T actual, [CallerArgumentExpression(nameof(actual))] string text = "")
    {
        if (!EqualityComparer<T>.Default.Equals(expected, actual))
            throw new CheckException($"{text} is {actual}, expected {expected}");
    }

    public static void True(bool condition, Func<string>? otherwise = null, [CallerArgumentExpression(nameof(condition))] string text = "")
    {
        if (!condition)
            throw new CheckException($"{text} does not hold{(otherwise is null ? "" : ": " + otherwise())}");
    }

    public static void Contains(string part, string text, [CallerArgumentExpression(nameof(text))] string what = "")
    {
        if (!text.Contains(part, StringComparison.Ordinal))
            throw new CheckException($"{what} does not contain {part}: {text}");
    }

    /// <summary>Compares all, and names the first that differ.</summary>
    public static void Lines(IEnumerable<string> expected, IEnumerable<string> actual)
    {
        var (wanted, found) = (expected.ToList(), actual.ToList());
        if (wanted.SequenceEqual(found))
            return;
        var same = wanted.Zip(found).TakeWhile(static pair => pair.First == pair.Second).Count();
        throw new CheckException(
            $"{found.Count} lines, expected {wanted.Count}; missing: {Show(wanted.Except(found))}; not expected: {Show(found.Except(wanted))}; first difference at {same}: {Show(found.Skip(same))}");
    }

    private static string Show(IEnumerable<string> lines) => string.Join(", ", lines.Take(Shown).Select(static line => $"'{line}'"));
}

/// <summary>A check does not hold.</summary>
internal sealed class CheckException(string message) : Exception(message);
