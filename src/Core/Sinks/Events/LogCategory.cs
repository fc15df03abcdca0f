using System.Buffers;
using System.Text;

namespace AsyncLog;

/// <summary>A logger's name, and what every record needs of it, found out once. Immutable.</summary>
internal sealed class LogCategory(string name)
{
    private static readonly SearchValues<char> Plain = SearchValues.Create(
        [.. Enumerable.Range(' ', '~' - ' ' + 1).Select(static character => (char)character).Where(static character => character is not ('"' or '\\'))]);

    /// <summary>Of no logger.</summary>
    public static readonly LogCategory None = new("");

    /// <summary>The name as the application gave it.</summary>
    public string Name { get; } = name;

    /// <summary>The name as UTF-8, unescaped.</summary>
    public byte[] Utf8 { get; } = Encoding.UTF8.GetBytes(name);

    /// <summary>For tables that have the category in their key.</summary>
    public int Hash { get; } = string.GetHashCode(name, StringComparison.Ordinal);

    /// <summary>The same, ready to be written.</summary>
    public readonly Utf8Literal Literal = new(name);

    /// <summary>Whether no <see cref="EscapeStyle"/> changes anything in it, as in all names of types.</summary>
    public bool IsPlain { get; } = !name.AsSpan().ContainsAnyExcept(Plain);
}
