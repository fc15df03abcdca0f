using System.Text;

namespace AsyncLog;

/// <summary>A logger's name with its UTF-8 and its hash, computed once. Immutable.</summary>
internal sealed class LogCategory(string name, ObjectSerializer? objects = null)
{
    /// <summary>The category of an event before its first use.</summary>
    public static readonly LogCategory None = new("");

    /// <summary>The name as the application gave it.</summary>
    public string Name { get; } = name;

    /// <summary>The name as UTF-8, unescaped.</summary>
    public byte[] Utf8 { get; } = Encoding.UTF8.GetBytes(name);

    /// <summary>Serializes the objects of the logger's events.</summary>
    public ObjectSerializer Objects => objects ?? ObjectSerializer.Default;

    /// <summary>The UTF-8 of <see cref="Name"/>, ready to be written.</summary>
    public readonly Utf8Literal Literal = new(name);

    /// <summary>True only if the name has no character that an <see cref="EscapeStyle"/> escapes; true for the names of types.</summary>
    public bool IsPlain { get; } = name.Length <= AsciiText.MaxPlainLength && AsciiText.TryWriteJson(name, new byte[name.Length]);
}
