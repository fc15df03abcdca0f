namespace AsyncLog;

/// <summary>A literal or a hole of a message template.</summary>
/// <param name="Literal">UTF-8; empty for a hole.</param>
/// <param name="Index">Which value; -1 for a literal.</param>
/// <param name="Alignment">The least width in UTF-16 units; negative aligns left; 0 for none.</param>
/// <param name="Format">The format specifier, or null.</param>
internal readonly record struct MessagePart(byte[] Literal, int Index, int Alignment, string? Format);
