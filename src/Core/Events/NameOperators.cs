using System.Globalization;
using System.Numerics;

namespace AsyncLog;

/// <summary>Applies the signs before names of a template's arguments: the value of <c>{@Item}</c> becomes JSON, that of <c>{$Item}</c> the text of its <c>ToString</c>.
/// Both only if it is an object; strings, numbers, dates, enums and null stay what they are.</summary>
internal static class NameOperators
{
    /// <summary>Applies the signs to values that are in the order of the arguments.</summary>
    public static void Apply(MessageTemplate template, PropertyList properties, IValueOwner owner)
    {
        for (var i = 0; i < properties.Count; i++)
        {
            if (TryApply(template.WrittenNames[i], i, properties, owner))
                properties.Template = template;
        }
    }

    /// <summary>Applies the signs to properties that are arguments of a template, and removes them from the names.</summary>
    /// <param name="properties">The list.</param>
    /// <param name="first">The first of the properties that belong to the template.</param>
    /// <param name="template">The template's text, or null.</param>
    /// <param name="owner">The event.</param>
    public static void Apply(PropertyList properties, int first, string? template, IValueOwner owner)
    {
        // Without properties the text may have been built for this call: it is not parsed.
        if (template is null || properties.Count == first || template.AsSpan().IndexOfAny('@', '$') < 0 || TemplateTable.Find(template) is not { HasOperators: true } parsed)
            return;
        for (var i = first; i < properties.Count; i++)
        {
            var argument = ArgumentOf(properties.Items[i].Name, parsed);
            if (argument < 0 || !MessageTemplate.HasOperator(parsed.WrittenNames[argument]))
                continue;
            if (MessageTemplate.HasOperator(properties.Items[i].Name))
                properties.Rename(i, parsed.Names[argument]);
            // Only then the text of the caller's formatter lacks something.
            if (TryApply(parsed.WrittenNames[argument], i, properties, owner))
                properties.Template = parsed;
        }
    }

    /// <summary>Applies the signs to names of pairs without a template, as <c>["@Item"]</c> in the dictionary of a scope, and removes them from the names.</summary>
    /// <param name="properties">The list.</param>
    /// <param name="first">The first of the pairs.</param>
    /// <param name="owner">The event.</param>
    public static void ApplyToNames(PropertyList properties, int first, IValueOwner owner)
    {
        for (var i = first; i < properties.Count; i++)
        {
            var name = properties.Items[i].Name;
            if (!MessageTemplate.HasOperator(name))
                continue;
            _ = TryApply(name, i, properties, owner);
            properties.Rename(i, name[1..]);
        }
    }

    /// <summary>Returns the index of the property for an argument, or -1.</summary>
    public static int FindProperty(ReadOnlySpan<LogProperty> properties, string name)
    {
        var found = PropertyNames.FindLast(properties, name);
        for (var i = 0; found < 0 && i < properties.Length; i++)
            found = IsGenerated(properties[i].Name, name) ? i : -1;
        return found;
    }

    // As it is written, or else as the source generator of Microsoft.Extensions.Logging names it.
    private static int ArgumentOf(string property, MessageTemplate template)
    {
        var argument = Array.IndexOf(template.WrittenNames, property);
        return argument >= 0 ? argument : Array.FindIndex(template.Names, name => IsGenerated(property, name));
    }

    // Without the sign, and with the case of the parameter.
    private static bool IsGenerated(string property, string argument) => string.Equals(property, argument, StringComparison.OrdinalIgnoreCase);

    // False if the value stays what it is.
    private static bool TryApply(string name, int index, PropertyList properties, IValueOwner owner)
    {
        if (!MessageTemplate.HasOperator(name) || properties.Items[index].ValueRef.Object is not { } value)
            return false;
        if (name[0] == '$')
        {
            // A number, although there is no kind for it.
            if (value is BigInteger)
                return false;
            properties.Set(index, LogValue.FromString(TextOf(value, owner)));
        }
        else if (!KeyedPairs.IsJson(value) && owner.TrySerialize(value) is { } json)
            properties.Set(index, LogValue.FromJson(json));
        else
            return false;
        return true;
    }

    private static string TextOf(object value, IValueOwner owner)
    {
        try
        {
            return (value is IFormattable formattable ? formattable.ToString(null, CultureInfo.InvariantCulture) : value.ToString()) ?? "";
        }
        catch (Exception exception)
        {
            owner.CountRenderError(exception);
            return MessageRenderer.Placeholder(value, exception);
        }
    }
}
