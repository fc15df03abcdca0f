namespace AsyncLog;

/// <summary>Reads lists of key/value pairs that users made. Whatever they do, it ends, and what was read stays.</summary>
internal static class PairReader
{
    private const string TemplateKey = "{OriginalFormat}";

    /// <summary>Reads up to <paramref name="most"/> pairs of a list, without <c>{OriginalFormat}</c>.</summary>
    /// <returns>What was thrown, or null.</returns>
    public static Exception? ReadList<T>(ref T list, int most, PropertyList target, ref string? template)
        where T : IReadOnlyList<KeyValuePair<string, object?>>
    {
        var first = target.Count;
        try
        {
            // Asked once: a list may grow or shrink meanwhile.
            var count = Math.Min(list.Count, most);
            for (var i = 0; i < count; i++)
                Add(list[i], target, ref template);
            return null;
        }
        catch (Exception exception)
        {
            // Reported by the caller of this method: it counts a render error.
            return exception;
        }
        finally
        {
            MessageTemplate.NameHoles(target, first, template);
        }
    }

    /// <summary>Reads up to <paramref name="most"/> pairs of any sequence, without <c>{OriginalFormat}</c>.</summary>
    /// <returns>What was thrown, or null.</returns>
    public static Exception? ReadSequence(
        IEnumerable<KeyValuePair<string, object?>> sequence, int most, PropertyList target, ref string? template)
    {
        var first = target.Count;
        try
        {
            // By its own type a dictionary enumerates without a box.
            if (sequence is Dictionary<string, object?> dictionary)
            {
                foreach (var pair in dictionary)
                {
                    if (most-- == 0)
                        break;
                    Add(pair, target, ref template);
                }
                return null;
            }
            foreach (var pair in sequence)
            {
                if (most-- == 0)
                    break;
                Add(pair, target, ref template);
            }
            return null;
        }
        catch (Exception exception)
        {
            // Reported by the caller of this method: it counts a render error.
            return exception;
        }
        finally
        {
            MessageTemplate.NameHoles(target, first, template);
        }
    }

    /// <summary>The template's text, which is the last pair of MEL's own lists.</summary>
    public static string? ReadTemplate<T>(ref T list, int index)
        where T : IReadOnlyList<KeyValuePair<string, object?>>
    {
        var pair = list[index];
        return pair.Key == TemplateKey ? pair.Value as string : null;
    }

    private static void Add(in KeyValuePair<string, object?> pair, PropertyList target, ref string? template)
    {
        if (pair.Key == TemplateKey)
            template = pair.Value as string ?? template;
        else
            target.Add(pair.Key, LogValue.FromObject(pair.Value));
    }
}
