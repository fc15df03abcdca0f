using System.Globalization;
using System.Text;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Transport;

/// <summary>Makes the records that a transport is given, as the formatter would.</summary>
internal static class Records
{
    public const string Header = "<14>1 2026-11-20T12:34:56.123456Z host-1 shop 4242 - ";

    /// <summary>A record without structured data.</summary>
    public static string Plain(string message) => $"{Header}- {message}";

    /// <summary>A numbered series: <c>r0</c>, <c>r1</c>, …</summary>
    public static string[] Series(int count, int first = 0, int length = 0)
        => [.. Enumerable.Range(first, count).Select(number => Plain(("r" + number.ToString(CultureInfo.InvariantCulture)).PadRight(length, '.')))];

    /// <summary>The record with its octet count.</summary>
    public static string Framed(string record) => $"{Encoding.UTF8.GetByteCount(record).ToString(CultureInfo.InvariantCulture)} {record}";

    public static string[] Framed(IEnumerable<string> records) => [.. records.Select(Framed)];

    public static LogBatch Batch(params IEnumerable<string> records) => LogBatch.Create(
        [.. records.Select(static record => new BatchRecord(Encoding.UTF8.GetBytes(record), LogLevel.Information, DateTimeOffset.UnixEpoch, "Shop.Cart"))]);

    /// <summary>What waits for its number: the offset of the structured data, then the record.</summary>
    public static LogBatch Numbered(params IEnumerable<string> records) => LogBatch.Create(
        [.. records.Select(static record => new BatchRecord(
            (byte[])[(byte)Header.Length, 0, .. Encoding.UTF8.GetBytes(record)], LogLevel.Information, DateTimeOffset.UnixEpoch, "Shop.Cart"))]);

    /// <summary>Two records that wait for their numbers; between them one whose offset lies behind its end.</summary>
    public static LogBatch OneWithoutPlaceForItsNumber(string first, string last) => LogBatch.Create(
        [.. ((byte[][])[[(byte)Header.Length, 0, .. Encoding.UTF8.GetBytes(Plain(first))], [200, 0, .. "short"u8], [(byte)Header.Length, 0, .. Encoding.UTF8.GetBytes(Plain(last))]])
            .Select(static bytes => new BatchRecord(bytes, LogLevel.Information, DateTimeOffset.UnixEpoch, "Shop.Cart"))]);

    /// <summary>The message of a record.</summary>
    public static string MessageOf(string record) => record[(record.IndexOf(" - - ", StringComparison.Ordinal) + 5)..];
}
