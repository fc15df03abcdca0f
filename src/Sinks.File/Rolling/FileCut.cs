namespace AsyncLog;

/// <summary>How much of a batch goes into the active file, and why not more.</summary>
/// <param name="Bytes">Whole records.</param>
/// <param name="Reason">Why the file is finished after them; null: all that is left goes in.</param>
internal readonly record struct FileCut(int Bytes, RollReason? Reason);
