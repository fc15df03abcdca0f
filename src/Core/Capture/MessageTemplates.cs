using System.Collections.Concurrent;
using System.Runtime.CompilerServices;

namespace AsyncLog;

/// <summary>Parsed templates, found by the reference of their text: one probe per record instead of hashing the text.</summary>
internal static class MessageTemplates
{
    private const int Size = 4096;
    private const int Probes = 8;
    private const int MostByText = 4096;
    private static readonly Entry?[] ByReference = new Entry?[Size];
    private static readonly ConcurrentDictionary<string, MessageTemplate?> ByText = new(StringComparer.Ordinal);

    /// <summary>The parsed template; null when MEL's formatter has the word.</summary>
    public static MessageTemplate? Find(string text)
    {
        var start = RuntimeHelpers.GetHashCode(text);
        for (var i = 0; i < Probes; i++)
        {
            var entry = Volatile.Read(ref ByReference[(start + i) & (Size - 1)]);
            if (entry is null)
                break;
            if (ReferenceEquals(entry.Text, text))
                return entry.Template;
        }

        return FindByText(text, start);
    }

    private static MessageTemplate? FindByText(string text, int start)
    {
        if (!ByText.TryGetValue(text, out var template))
        {
            template = MessageTemplate.Parse(text);
            if (ByText.Count < MostByText)
                ByText.TryAdd(text, template);
        }

        // Where all places are taken one is given up: nothing grows, and a table this size clashes only for texts made at run time.
        var place = start & (Size - 1);
        for (var i = 0; i < Probes; i++)
        {
            if (Volatile.Read(ref ByReference[(start + i) & (Size - 1)]) is null)
            {
                place = (start + i) & (Size - 1);
                break;
            }
        }

        Volatile.Write(ref ByReference[place], new Entry(text, template));
        return template;
    }

    private sealed record Entry(string Text, MessageTemplate? Template);
}
