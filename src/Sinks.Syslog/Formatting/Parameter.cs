namespace AsyncLog;

/// <summary>One rendered parameter, the space before its name included.</summary>
/// <param name="Element">Its element.</param>
/// <param name="Start">Where it begins in the record.</param>
/// <param name="Length">Its bytes.</param>
/// <param name="NameLength">The bytes of its name, which begins behind the space.</param>
/// <param name="IsCut">Whether its value was cut.</param>
/// <param name="IsKept">Whether a cut record keeps it.</param>
internal readonly record struct Parameter(SdElement Element, int Start, int Length, int NameLength, bool IsCut = false, bool IsKept = true);
