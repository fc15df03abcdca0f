using System.Collections.Concurrent;
using System.Runtime.CompilerServices;

namespace AsyncLog;

/// <summary>Parsed templates, found by the reference of their text or of what stands for it. Bounded: what is new replaces what is old.</summary>
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
    private static int _turn;

    /// <summary>The parsed template; null when it is invalid or too long, and the caller's formatter has to do it.</summary>
    public static MessageTemplate? Find(string text)
        => Look(text, RuntimeHelpers.GetHashCode(text)) is { } entry ? entry.Template : FindByText(text);

    /// <summary>The template that <see cref="Add(object, MessageTemplate)"/> was told an object stands for.</summary>
    public static MessageTemplate? FindByOwner(object owner) => Look(owner, RuntimeHelpers.GetHashCode(owner))?.Template;

    /// <summary>Lets a template be found by the reference of an object that always goes with it.</summary>
    public static void Add(object owner, MessageTemplate template) => Put(new Entry(owner, template));

    private static Entry? Look(object key, int hash)
    {
        for (var i = 0; i < Probes; i++)
        {
            var entry = Slots[(hash + i) & (SlotCount - 1)];
            if (entry is not null && ReferenceEquals(entry.Key, key))
                return entry;
        }
        return null;
    }

    private static MessageTemplate? FindByText(string text)
    {
        if (text.Length > LongestTemplate)
            return null;
        if (!ByText.TryGetValue(text, out var known))
        {
            known = new Entry(text, MessageTemplate.Parse(text));
            // The count may run ahead of the dictionary under a race; it only decides when to begin anew.
            if (Interlocked.Increment(ref _byTextCount) > MostByText)
            {
                ByText.Clear();
                Volatile.Write(ref _byTextCount, 1);
            }
            ByText.TryAdd(text, known);
        }
        Put(ReferenceEquals(known.Key, text) ? known : new Entry(text, known.Template));
        return known.Template;
    }

    private static void Put(Entry entry)
    {
        var hash = RuntimeHelpers.GetHashCode(entry.Key);
        for (var i = 0; i < Probes; i++)
        {
            ref var slot = ref Slots[(hash + i) & (SlotCount - 1)];
            if (slot is null)
            {
                Volatile.Write(ref slot, entry);
                return;
            }
        }
        // In turn, so that two that are in use cannot drive each other out for ever while old ones stay. A lost count does no harm.
        var victim = _turn++ & (Probes - 1);
        Volatile.Write(ref Slots[(hash + victim) & (SlotCount - 1)], entry);
    }

    private sealed class Entry(object key, MessageTemplate? template)
    {
        public readonly object Key = key;
        public readonly MessageTemplate? Template = template;
    }
}
