using System.Text;

namespace AsyncLog;

/// <summary>UTF-8 of texts that come again with every record: keys and templates. Any thread.</summary>
/// <remarks>Bounded for the life of the process: only texts that live long are kept, so none that was made for one call, and a place once taken stays taken.
/// Whoever finds no place is transcoded each time.</remarks>
internal static class StandingTexts
{
    private const int Places = 1024;
    private const int Tries = 4;
    private const int Longest = 256;
    private static readonly StandingText?[] Table = new StandingText?[Places];

    /// <summary>The UTF-8 of a text, an unpaired surrogate as U+FFFD; null when it is not kept.</summary>
    public static byte[]? Find(string text)
    {
        if (text.Length is 0 or > Longest)
            return null;
        var first = (((text.Length * 31) + text[0]) * 31) + text[^1] + (text[text.Length / 2] * 7);
        for (var place = first; place < first + Tries; place++)
        {
            ref var known = ref Table[place & (Places - 1)];
            if (Volatile.Read(ref known) is not { } taken)
                return GC.GetGeneration(text) < GC.MaxGeneration ? null : Keep(ref known, text);
            if (string.Equals(taken.Text, text, StringComparison.Ordinal))
                return taken.Utf8;
        }

        return null;
    }

    // Two threads may race for a place; then the other's text is tried again next time.
    private static byte[] Keep(ref StandingText? place, string text)
    {
        var added = new StandingText(text, Encoding.UTF8.GetBytes(text));
        Interlocked.CompareExchange(ref place, added, null);
        return added.Utf8;
    }

    private sealed record StandingText(string Text, byte[] Utf8);
}
