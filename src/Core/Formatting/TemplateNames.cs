using System.Runtime.CompilerServices;

namespace AsyncLog;

/// <summary>The names of the properties for the holes of message templates, found by the template's reference.</summary>
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

    /// <summary>Whether a template has any hole.</summary>
    public static bool HasHole(string template)
    {
        var at = 0;
        return NextHole(template, ref at, out _);
    }

    private static string[] Parse(string template)
    {
        var names = new List<string>();
        var at = 0;
        while (NextHole(template, ref at, out var name))
            names.Add(MessageTemplate.NameOf(template[name]));
        return [.. names];
    }

    /// <summary>Finds the next hole and moves behind its name.</summary>
    private static bool NextHole(string template, ref int at, out Range name)
    {
        name = default;
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
                return false;
            name = at..(at + end);
            at += end;
            return true;
        }
        return false;
    }

    private sealed record Entry(string Template, string[] Names);
}
