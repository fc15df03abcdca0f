using System.Text.Json;

namespace AsyncLog.Tests.Support;

/// <summary>A line of logs/requests.jsonl.</summary>
internal static class RequestLine
{
    /// <summary>The request's id; throws when the line is not one whole JSON object.</summary>
    public static string Id(string line)
    {
        using var document = JsonDocument.Parse(line);
        return document.RootElement.GetProperty("State").GetProperty("RequestId").GetString()!;
    }
}
