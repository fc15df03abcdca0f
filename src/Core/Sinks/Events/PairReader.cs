namespace AsyncLog;

/// <summary>Reads key/value pairs of user-defined states and scopes. Bounded; pairs read before an exception stay.</summary>
internal static class PairReader
{
    /// <summary>A bound for lists whose count is wrong; far more pairs than any record needs.</summary>
    public const int MaxPairs = 1024;

    private const string TemplateKey = "{OriginalFormat}";

    /// <summary>Reads up to <paramref name="most"/> pairs of a list, without <c>{OriginalFormat}</c>.</summary>
    /// <returns>The exception that ended the reading, or null.</returns>
    public static Exception? ReadList<T>(ref T list, int most, PropertyList target, ref string? template)
        where T : IReadOnlyList<KeyValuePair<string, object?>>
    {
        var first = target.Count;
        try
        {
            // Read once: a list may grow or shrink meanwhile.
            var count = Math.Min(list.Count, most);
            for (var i = 0; i < count; i++)
                Add(list[i], target, ref template);
            return null;
        }
        catch (Exception exception)
        {
            // Returned to the caller, which counts a render error.
            return exception;
        }
        finally
        {
            RemoveOperators(target, first, template);
        }
    }

    /// <summary>Reads up to <paramref name="most"/> pairs of any sequence, without <c>{OriginalFormat}</c>.</summary>
    /// <returns>The exception that ended the reading, or null.</returns>
    public static Exception? ReadSequence(
        IEnumerable<KeyValuePair<string, object?>> sequence, int most, PropertyList target, ref string? template)
    {
        var first = target.Count;
        try
        {
            // As a dictionary it enumerates without boxing the enumerator.
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
            // Returned to the caller, which counts a render error.
            return exception;
        }
        finally
        {
            RemoveOperators(target, first, template);
        }
    }

    /// <summary>The template's text, which is the last pair of MEL's own lists.</summary>
    public static string? ReadTemplate<T>(ref T list, int index)
        where T : IReadOnlyList<KeyValuePair<string, object?>>
    {
        var pair = list[index];
        return pair.Key == TemplateKey ? pair.Value as string : null;
    }

    /// <summary>Removes the <c>@</c> or <c>$</c> before the names of properties that are arguments of a template.</summary>
    /// <param name="properties">The list.</param>
    /// <param name="first">The first of the properties that belong to the template.</param>
    /// <param name="template">The template's text, or null.</param>
    public static void RemoveOperators(PropertyList properties, int first, string? template)
    {
        if (template is null)
            return;
        for (var i = first; i < properties.Count; i++)
        {
            var name = properties.Items[i].Name;
            if (MessageTemplate.HasOperator(name) && TemplateTable.Find(template) is { } parsed && Array.IndexOf(parsed.WrittenNames, name) is >= 0 and var argument)
                properties.Rename(i, parsed.Names[argument]);
        }
    }

    private static void Add(in KeyValuePair<string, object?> pair, PropertyList target, ref string? template)
    {
        if (pair.Key == TemplateKey)
            template = pair.Value as string ?? template;
        else
            target.Add(pair.Key, LogValue.FromObject(pair.Value));
    }
}
