namespace AsyncLog.Mutants;

/// <summary>A place and the number that chooses its changed text.</summary>
internal sealed record Mutant(int Id, Place Place);
