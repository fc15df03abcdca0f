using System.Buffers.Binary;
using System.Text.Json;

namespace AsyncLog.Tests.Transport;

/// <summary>Compares what the server saw with what a vector says of it.</summary>
internal static class RequestExpectation
{
    private const int PrefixBytes = 5;

    /// <summary>Checks every field.</summary>
    /// <param name="expected">The fields.</param>
    /// <param name="request">What the server saw.</param>
    /// <param name="records">How many records it has to hold.</param>
    public static void Check(JsonElement expected, StubRequest request, int records)
    {
        // Whatever it looks like on the wire, it is these records.
        Assert.Equal(Enumerable.Range(0, records).Select(static number => FormattableString.Invariant($"r{number}")), request.Bodies);
        foreach (JsonProperty field in expected.EnumerateObject())
        {
            switch (field.Name)
            {
                case "httpVersion":
                    Assert.Equal(VersionOf(field.Value.ToString()), VersionOf(request.Protocol));
                    break;
                case "method":
                    Assert.Equal(field.Value.GetString(), request.Method);
                    break;
                case "path":
                    Assert.Equal(field.Value.GetString(), request.Path);
                    break;
                case "headers":
                    Assert.NotEmpty(field.Value.EnumerateObject());
                    Assert.All(field.Value.EnumerateObject(), header => Assert.Equal((header.Name, header.Value.GetString()), (header.Name, request.Headers.GetValueOrDefault(header.Name))));
                    break;
                case "headersPresent":
                    Assert.NotEmpty(field.Value.EnumerateArray());
                    Assert.All(field.Value.EnumerateArray(), name => Assert.Contains(name.GetString()!, request.Headers.Keys, StringComparer.OrdinalIgnoreCase));
                    break;
                case "headersAbsent":
                    Assert.NotEmpty(field.Value.EnumerateArray());
                    Assert.All(field.Value.EnumerateArray(), name => Assert.DoesNotContain(name.GetString()!, request.Headers.Keys, StringComparer.OrdinalIgnoreCase));
                    break;
                case "userAgentStartsWith":
                    Assert.StartsWith(field.Value.GetString()!, request.Headers["User-Agent"], StringComparison.Ordinal);
                    break;
                case "bodyGunzipsTo":
                    CheckGunzipped(field.Value, request);
                    break;
                case "flagByte":
                    Assert.Equal(field.Value.GetInt32(), request.Wire[0]);
                    break;
                case "lengthOf":
                    CheckLength(field.Value.GetString()!, request);
                    break;
                default:
                    Assert.Fail("unknown expectation " + field.Name);
                    break;
            }
        }
    }

    // HTTP/2, 2.0 and 2 are the same.
    private static string VersionOf(string text) => text.Replace("HTTP/", "", StringComparison.OrdinalIgnoreCase) is var version && version.EndsWith(".0", StringComparison.Ordinal) ? version[..^2] : version;

    // The stub has unpacked the body; hex says what has to come out, another text that it is the plain request, whose records were compared.
    private static void CheckGunzipped(JsonElement wanted, StubRequest request)
    {
        int start = request.Headers["Content-Type"].StartsWith("application/grpc", StringComparison.Ordinal) ? PrefixBytes : 0;
        Assert.Equal([0x1F, 0x8B], request.Wire[start..(start + 2)]);
        Assert.NotEqual(request.Body, request.Wire[start..]);
        if (wanted.ValueKind == JsonValueKind.String && wanted.GetString() is { Length: > 8 } hex && hex.All(char.IsAsciiHexDigit))
            Assert.Equal(hex, Convert.ToHexStringLower(request.Body));
    }

    // The length behind gRPC's flag counts what follows it on the wire.
    private static void CheckLength(string what, StubRequest request)
    {
        bool isCompressed = what.Contains("compressed", StringComparison.OrdinalIgnoreCase) && !what.Contains("uncompressed", StringComparison.OrdinalIgnoreCase);
        Assert.Equal(request.Wire.Length - PrefixBytes, BinaryPrimitives.ReadInt32BigEndian(request.Wire.AsSpan(1)));
        Assert.Equal(isCompressed, request.Wire[0] == 1);
        Assert.Equal(isCompressed, !request.Wire.AsSpan(PrefixBytes).SequenceEqual(request.Body));
    }
}
