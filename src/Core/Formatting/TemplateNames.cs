using System.Runtime.CompilerServices;

namespace AsyncLog;

/// <summary>The names of the holes of message templates, found by the template's reference.</summary>
/// <remarks>A fixed table whose entries never change, so that readers need no lock; templates that collide replace each other.</remarks>
internal sealed class TemplateNames
{
    private const int Size = 256;
    private readonly Entry?[] _entries = new Entry?[Size];

    public string[] Of(string? template)
    {
        if (template is null)
            return [];
        ref var slot = ref _entries[RuntimeHelpers.GetHashCode(template) & (Size - 1)];
        var entry = Volatile.Read(ref slot);
        if (entry is null || !ReferenceEquals(entry.Template, template))
        {
            entry = new Entry(template, Parse(template));
            Volatile.Write(ref slot, entry);
        }
        return entry.Names;
    }

    private static string[] Parse(string template)
    {
        var names = new List<string>();
        var at = 0;
        while ((at = template.IndexOf('{', at)) >= 0)
        {
            at++;
            if (at < template.Length && template[at] == '{')
            {
                at++;
                continue;
            }
            var end = template.AsSpan(at).IndexOfAny(",:}");
            if (end < 0)
                break;
            names.Add(template.Substring(at, end));
            at += end;
        }
        return [.. names];
    }

    private sealed record Entry(string Template, string[] Names);
}
