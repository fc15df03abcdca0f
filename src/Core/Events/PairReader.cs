using System.Collections;
using System.Runtime.CompilerServices;

namespace AsyncLog;

/// <summary>Reads key/value pairs of user-defined states and scopes. Bounded; pairs read before an exception stay.</summary>
internal static class PairReader
{
    /// <summary>A bound for lists whose count is wrong; far more pairs than any record needs.</summary>
    public const int MaxPairs = 1024;

    private const string TemplateKey = "{OriginalFormat}";

    /// <summary>Reads up to <paramref name="most"/> pairs of an object of any type: a list or sequence of pairs with texts as keys and values of any type, or a tuple of name and value.</summary>
    /// <returns>False if it is none of these.</returns>
    public static bool TryRead(object value, int most, PropertyList target, IValueOwner owner, ref string? template, out Exception? fault)
    {
        fault = null;
        switch (value)
        {
            case string:
                return false;
            case IReadOnlyList<KeyValuePair<string, object?>> list:
                fault = ReadList(ref list, most, target, owner, ref template);
                return true;
            case IEnumerable<KeyValuePair<string, object?>> sequence:
                fault = ReadSequence(sequence, most, target, owner, ref template);
                return true;
            case IEnumerable<KeyValuePair<string, string?>> texts:
                fault = ReadSequence(texts, most, target, owner, ref template);
                return true;
            case IEnumerable items when KeyedPairs.Of(items) is { HasTextKeys: true } pairs:
                fault = ReadSequence(Enumerate(pairs, items), most, target, owner, ref template);
                return true;
            case ITuple tuple when IsNamed(tuple):
                target.Add((string)tuple[0]!, LogValue.FromObject(tuple[1]));
                return true;
            default:
                return false;
        }
    }

    /// <summary>Reads up to <paramref name="most"/> pairs of a list, without <c>{OriginalFormat}</c>.</summary>
    /// <returns>The exception that ended the reading, or null.</returns>
    public static Exception? ReadList<T>(ref T list, int most, PropertyList target, IValueOwner owner, ref string? template)
        where T : IReadOnlyList<KeyValuePair<string, object?>>
    {
        var first = target.Count;
        try
        {
            // Read once: a list may grow or shrink in the meantime.
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
            NameOperators.Apply(target, first, template, owner);
        }
    }

    // Returns the exception that ended the reading, or null.
    private static Exception? ReadSequence<T>(IEnumerable<KeyValuePair<string, T>> sequence, int most, PropertyList target, IValueOwner owner, ref string? template)
    {
        var first = target.Count;
        try
        {
            // As a dictionary it enumerates without boxing the enumerator.
            if (sequence is Dictionary<string, T> dictionary)
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
            NameOperators.Apply(target, first, template, owner);
        }
    }

    /// <summary>The template's text, which is the last pair of MEL's own lists.</summary>
    public static string? ReadTemplate<T>(ref T list, int index)
        where T : IReadOnlyList<KeyValuePair<string, object?>>
    {
        var pair = list[index];
        return pair.Key == TemplateKey ? pair.Value as string : null;
    }

    private static IEnumerable<KeyValuePair<string, object?>> Enumerate(KeyedPairs pairs, IEnumerable items)
    {
        var entries = pairs.Enumerate(items);
        try
        {
            while (entries.MoveNext())
                yield return new KeyValuePair<string, object?>((string)pairs.KeyOf(entries.Current!)!, pairs.ValueOf(entries.Current!));
        }
        finally
        {
            (entries as IDisposable)?.Dispose();
        }
    }

    // Only the framework's own: another type's members may throw.
    private static bool IsNamed(ITuple tuple)
        => tuple.GetType() is { IsGenericType: true } type && type.GetGenericTypeDefinition() == typeof(ValueTuple<,>) && tuple[0] is string;

    private static void Add<T>(in KeyValuePair<string, T> pair, PropertyList target, ref string? template)
    {
        if (pair.Key == TemplateKey)
            template = pair.Value as string ?? template;
        else
            target.Add(pair.Key, LogValue.FromObject(pair.Value));
    }
}
