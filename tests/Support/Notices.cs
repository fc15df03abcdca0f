using System.Text;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests;

/// <summary>Makes what a sink gets beside the records of the application.</summary>
internal static class Notices
{
    /// <summary>A batch with one notice of AsyncLog, as the worker renders it.</summary>
    public static LogBatch Batch(string record)
    {
        LogBatch batch = LogBatch.Create(new BatchRecord(Encoding.UTF8.GetBytes(record), LogLevel.Information, DateTimeOffset.UnixEpoch, "AsyncLog"));
        batch.IsNotice = true;
        return batch;
    }
}
