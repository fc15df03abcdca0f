using System.Text;

namespace AsyncLog;

/// <summary>Caches the UTF-8 of texts that many records share: keys and templates. Any thread.</summary>
/// <remarks>Bounded, without eviction: only texts of the oldest generation are cached, so none that was made for one call. A text without a free place is
/// transcoded each time.</remarks>
internal static class Utf8Cache
{
    private const int Places = 1024;
    private const int Tries = 4;
    private const int Longest = 256;
    private static readonly Entry?[] Table = new Entry?[Places];

    /// <summary>Finds or adds the UTF-8 of a text, an unpaired surrogate as U+FFFD; null: not cached.</summary>
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

    // Of two threads that race for a place one wins; the other's text is tried again next time.
    private static byte[] Keep(ref Entry? place, string text)
    {
        var added = new Entry(text, Encoding.UTF8.GetBytes(text));
        Interlocked.CompareExchange(ref place, added, null);
        return added.Utf8;
    }

    private sealed record Entry(string Text, byte[] Utf8);
}
