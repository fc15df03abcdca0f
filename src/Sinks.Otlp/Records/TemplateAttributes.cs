namespace AsyncLog;

/// <summary>The attributes of a message template, encoded but for their values, and the template itself as an attribute. Immutable; any thread.</summary>
/// <remarks>Found by the template's text. Bounded, without eviction: only templates of the oldest generation are kept, so none that was made for one call.</remarks>
internal sealed class TemplateAttributes
{
    public const string TemplateKey = "{OriginalFormat}";

    /// <summary>The most UTF-16 units of a template or a name that is kept.</summary>
    public const int Longest = 256;

    private const int Places = 1024;
    private const int Tries = 4;
    private static readonly TemplateAttributes?[] Table = new TemplateAttributes?[Places];
    private readonly string _text;
    private readonly string[] _names;
    private readonly PreencodedField[] _keys;

    private TemplateAttributes(string text, string[] names)
    {
        _text = text;
        _names = names;
        _keys = Array.ConvertAll(names, KeyOf);
        Template = TemplateOf(text);
    }

    public PreencodedField Template { get; }

    /// <summary>The start of each property's attribute: its tag, a length of one byte that is not known yet, and the key.</summary>
    public ReadOnlySpan<PreencodedField> Keys => _keys;

    /// <summary>Finds or adds the attributes of a template with these properties; null: not kept, as where a name is empty, long, or there twice.</summary>
    public static TemplateAttributes? Find(string text, ReadOnlySpan<LogProperty> properties)
    {
        if (text.Length is 0 or > Longest)
            return null;
        var first = (((text.Length * 31) + text[0]) * 31) + text[^1] + (text[text.Length / 2] * 7);
        for (var place = first; place < first + Tries; place++)
        {
            ref var known = ref Table[place & (Places - 1)];
            if (Volatile.Read(ref known) is not { } taken)
                return GC.GetGeneration(text) < GC.MaxGeneration ? null : Keep(ref known, text, properties);
            if (string.Equals(taken._text, text, StringComparison.Ordinal) && taken.AreOf(properties))
                return taken;
        }

        return null;
    }

    private bool AreOf(ReadOnlySpan<LogProperty> properties)
    {
        var names = _names;
        if (properties.Length != names.Length)
            return false;
        for (var i = 0; i < names.Length; i++)
        {
            if (!string.Equals(names[i], properties[i].Name, StringComparison.Ordinal))
                return false;
        }

        return true;
    }

    // Of two threads that race for a place one wins; the other's template is tried again next time.
    private static TemplateAttributes? Keep(ref TemplateAttributes? place, string text, ReadOnlySpan<LogProperty> properties)
    {
        var names = new string[properties.Length];
        for (var i = 0; i < names.Length; i++)
        {
            if (properties[i].Name is not { Length: > 0 and <= Longest } name || Array.IndexOf(names, name) >= 0)
                return null;
            names[i] = name;
        }

        var added = new TemplateAttributes(text, names);
        Interlocked.CompareExchange(ref place, added, null);
        return added;
    }

    /// <summary>Encodes the start of an attribute, see <see cref="Keys"/>.</summary>
    public static PreencodedField KeyOf(string name)
    {
        var writer = new ProtoWriter([], new ProtoOverflow());
        writer.Open(OtlpTag.Attribute);
        writer.WriteText(OtlpTag.Key, name);
        return new PreencodedField(writer.Written);
    }

    /// <summary>Encodes a template as an attribute.</summary>
    public static PreencodedField TemplateOf(ReadOnlySpan<char> text)
    {
        var writer = new ProtoWriter([], new ProtoOverflow());
        var start = writer.Open(OtlpTag.Attribute);
        writer.WriteText(OtlpTag.Key, TemplateKey);
        writer.WriteNested(OtlpTag.Value, OtlpTag.Text, text);
        writer.Close(start);
        return new PreencodedField(writer.Written);
    }
}
