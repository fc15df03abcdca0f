using Google.Protobuf;

namespace AsyncLog.Tests;

/// <summary>Records as they lie in the queue: each one field log_records of a ScopeLogs.</summary>
internal static class EncodedRecord
{
    /// <summary>The record message inside; fails unless tag and length are exact, and in as few bytes as possible.</summary>
    public static byte[] Message(this BatchRecord record)
    {
        var field = record.Bytes.ToArray();
        var input = new CodedInputStream(field);
        Assert.Equal(0x12u, input.ReadTag());
        var message = input.ReadBytes().ToByteArray();
        Assert.True(input.IsAtEnd);
        Assert.Equal(field.Length, 1 + CodedOutputStream.ComputeLengthSize(message.Length) + message.Length);
        return message;
    }

    public static Protocol.LogRecord Decoded(this BatchRecord record) => Protocol.LogRecord.Parser.ParseFrom(record.Message());

    /// <summary>The field of a record.</summary>
    public static byte[] Of(Protocol.LogRecord record)
    {
        var scope = new Protocol.ScopeLogs();
        scope.LogRecords.Add(record);
        return scope.ToByteArray();
    }
}
