using System.Text;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>The names of the levels in the forms of the layouts.</summary>
internal static class LevelNames
{
    private static readonly string[] Short = ["TRC", "DBG", "INF", "WRN", "ERR", "CRT", "NON"];
    private static readonly string[] Severities = ["7", "7", "6", "4", "3", "2", "7"];
    private static readonly string[] Full = ["Trace", "Debug", "Information", "Warning", "Error", "Critical", "None"];

    /// <summary>Full names as UTF-8, by level.</summary>
    public static byte[][] Utf8 { get; } = [.. Full.Select(Encoding.UTF8.GetBytes)];

    /// <summary>Gets the names in a form of the text layout (<c>u3 w3 t3 u w syslog</c> or empty), by level; null for an unknown form.</summary>
    public static string[]? InForm(string form) => form switch
    {
        "" => Full,
        "u" => [.. Full.Select(name => name.ToUpperInvariant())],
        "w" => [.. Full.Select(name => name.ToLowerInvariant())],
        "u3" => Short,
        "w3" => [.. Short.Select(name => name.ToLowerInvariant())],
        "t3" => [.. Short.Select(name => name[0] + name[1..].ToLowerInvariant())],
        "syslog" => Severities,
        _ => null,
    };

    /// <summary>The full name of a level.</summary>
    public static string Of(LogLevel level) => Full[(int)level];

    /// <summary>Writes the name of a level, or its number when it has none.</summary>
    public static void Write(ref Utf8Writer writer, LogLevel level, byte[][] names)
    {
        if ((uint)level < (uint)names.Length)
            writer.Write(names[(int)level]);
        else
            writer.WriteValue((int)level);
    }
}
