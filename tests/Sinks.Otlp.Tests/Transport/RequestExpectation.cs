using System.Text.Json;

namespace AsyncLog.Tests.Transport;

/// <summary>Compares what the server saw with what a vector says of it.</summary>
internal static class RequestExpectation
{
    public static void Check(JsonElement expected, StubRequest request)
    {
        foreach (JsonProperty field in expected.EnumerateObject())
        {
            switch (field.Name)
            {
                case "method":
                    Assert.Equal(field.Value.GetString(), request.Method);
                    break;
                case "path":
                    Assert.Equal(field.Value.GetString(), request.Path);
                    break;
                case "headers":
                    Assert.All(field.Value.EnumerateObject(), header => Assert.Equal(header.Value.GetString(), request.Headers[header.Name]));
                    break;
                case "headersAbsent":
                    Assert.All(field.Value.EnumerateArray(), name => Assert.DoesNotContain(name.GetString()!, request.Headers.Keys, StringComparer.OrdinalIgnoreCase));
                    break;
                case "userAgentStartsWith":
                    Assert.StartsWith(field.Value.GetString()!, request.Headers["User-Agent"], StringComparison.Ordinal);
                    break;
                default:
                    Assert.Fail("unknown expectation " + field.Name);
                    break;
            }
        }
    }
}
