using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>The rendered bytes of one event inside a <see cref="LogBatch"/>, with what a sink may need to know of it.</summary>
/// <param name="Bytes">The final bytes; valid as long as the batch.</param>
/// <param name="Level">The level it was logged with.</param>
/// <param name="Timestamp">When it was logged, UTC.</param>
/// <param name="Category">The logger's category.</param>
public readonly record struct LogRecord(ReadOnlyMemory<byte> Bytes, LogLevel Level, DateTimeOffset Timestamp, string Category);
