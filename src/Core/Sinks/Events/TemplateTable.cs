using System.Collections.Concurrent;
using System.Runtime.CompilerServices;

namespace AsyncLog;

/// <summary>The parsed templates, found by reference: of their text, or of an object that identifies it. Bounded; new entries replace old ones.</summary>
internal static class TemplateTable
{
    private const int SlotCount = 2048;
    private const int Probes = 4;
    private const int MaxByText = 1024;
    // A longer text was built at run time and seldom comes back.
    private const int MaxTemplateLength = 8 * 1024;

    private static readonly ReferenceCache<Entry> ByReference = new(SlotCount, Probes);
    private static readonly ConcurrentDictionary<string, Entry> ByText = new(StringComparer.Ordinal);
    private static int _byTextCount;

    /// <summary>Returns the parsed template; null when it is invalid or too long, so that the caller's formatter makes the message.</summary>
    public static MessageTemplate? Find(string text)
        => Probe(text, RuntimeHelpers.GetHashCode(text)) is { } entry ? entry.Template : FindByText(text);

    /// <summary>Returns the template that was added for an object, or null.</summary>
    public static MessageTemplate? FindByOwner(object owner) => Probe(owner, RuntimeHelpers.GetHashCode(owner))?.Template;

    /// <summary>Adds a template that is found by the reference of an object that identifies it.</summary>
    public static void Add(object owner, MessageTemplate template) => Put(new Entry(owner, template));

    private static Entry? Probe(object key, int hash)
    {
        for (var i = 0; i < Probes; i++)
        {
            if (ByReference[hash + i] is { } entry && ReferenceEquals(entry.Key, key))
                return entry;
        }
        return null;
    }

    private static MessageTemplate? FindByText(string text)
    {
        if (text.Length > MaxTemplateLength)
            return null;
        if (!ByText.TryGetValue(text, out var known))
        {
            known = new Entry(text, MessageTemplate.Parse(text));
            // The count may run ahead of the dictionary under a race; it only decides when to begin anew.
            if (Interlocked.Increment(ref _byTextCount) > MaxByText)
            {
                ByText.Clear();
                Volatile.Write(ref _byTextCount, 1);
            }
            ByText.TryAdd(text, known);
        }
        Put(ReferenceEquals(known.Key, text) ? known : new Entry(text, known.Template));
        return known.Template;
    }

    private static void Put(Entry entry) => ByReference.Add(RuntimeHelpers.GetHashCode(entry.Key), entry);

    private sealed class Entry(object key, MessageTemplate? template)
    {
        public readonly object Key = key;
        public readonly MessageTemplate? Template = template;
    }
}
