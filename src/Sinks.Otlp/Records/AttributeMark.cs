namespace AsyncLog;

/// <summary>Where an attribute lies, relative to the first one.</summary>
/// <param name="End">Its end.</param>
/// <param name="KeyStart">The first byte of its key.</param>
/// <param name="KeyLength">The length of the key.</param>
/// <param name="TextStart">The first byte of its value if that is a string; else -1.</param>
internal readonly record struct AttributeMark(int End, int KeyStart, int KeyLength, int TextStart);
