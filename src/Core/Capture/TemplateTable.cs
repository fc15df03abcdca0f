using System.Collections.Concurrent;
using System.Runtime.CompilerServices;

namespace AsyncLog;

/// <summary>Parsed templates, found by the reference of their text. Bounded: what is new replaces what is old.</summary>
internal static class TemplateTable
{
    private const int SlotCount = 2048;
    private const int Probes = 4;
    private const int MostByText = 1024;
    // A text longer than any template is built at run time and seldom comes back.
    private const int LongestTemplate = 8 * 1024;

    private static readonly Entry?[] Slots = new Entry?[SlotCount];
    private static readonly ConcurrentDictionary<string, Entry> ByText = new(StringComparer.Ordinal);
    private static int _byTextCount;

    /// <summary>The parsed template; null when it is invalid or too long, and the caller's formatter has to do it.</summary>
    public static MessageTemplate? Find(string text)
    {
        var hash = RuntimeHelpers.GetHashCode(text);
        for (var i = 0; i < Probes; i++)
        {
            var entry = Slots[(hash + i) & (SlotCount - 1)];
            if (entry is not null && ReferenceEquals(entry.Text, text))
                return entry.Template;
        }
        return FindByText(text, hash);
    }

    private static MessageTemplate? FindByText(string text, int hash)
    {
        if (text.Length > LongestTemplate)
            return null;
        if (!ByText.TryGetValue(text, out var known))
        {
            known = new Entry(text, TemplateParser.Parse(text));
            // The count may run ahead of the dictionary under a race; it only decides when to begin anew.
            if (Interlocked.Increment(ref _byTextCount) > MostByText)
            {
                ByText.Clear();
                Volatile.Write(ref _byTextCount, 1);
            }
            ByText.TryAdd(text, known);
        }
        Put(ReferenceEquals(known.Text, text) ? known : new Entry(text, known.Template), hash);
        return known.Template;
    }

    private static void Put(Entry entry, int hash)
    {
        for (var i = 0; i < Probes; i++)
        {
            ref var slot = ref Slots[(hash + i) & (SlotCount - 1)];
            if (slot is null)
            {
                Volatile.Write(ref slot, entry);
                return;
            }
        }
        Volatile.Write(ref Slots[(hash + ((hash >> 16) & (Probes - 1))) & (SlotCount - 1)], entry);
    }

    private sealed class Entry(string text, MessageTemplate? template)
    {
        public string Text { get; } = text;
        public MessageTemplate? Template { get; } = template;
    }
}
