using System.Buffers;

namespace AsyncLog;

/// <summary>Wraps the front of a batch into one request. Worker only.</summary>
internal interface IExportRequest
{
    /// <summary>The request, uncompressed; valid until the next <see cref="Build"/>.</summary>
    ReadOnlySequence<byte> Body { get; }

    /// <summary>Takes as many records from the front of what is left as fit.</summary>
    /// <param name="batch">The records.</param>
    /// <param name="maxRecords">At most so many; at least 1.</param>
    /// <param name="maxBytes">The most bytes of <see cref="Body"/>.</param>
    /// <returns>How many were taken; 0: not even the first fits.</returns>
    int Build(LogBatch batch, int maxRecords, int maxBytes);
}
