using System.Buffers;
using System.Text.Json;
using Microsoft.AspNetCore.Http;
using Microsoft.Net.Http.Headers;

namespace AsyncLog;

/// <summary>What all answers have in common.</summary>
internal static class Answers
{
    public static Task Json(HttpContext context, Action<Utf8JsonWriter> write)
    {
        var buffer = new ArrayBufferWriter<byte>();
        using (var writer = new Utf8JsonWriter(buffer))
            write(writer);
        return Send(context, "application/json; charset=utf-8", buffer.WrittenMemory);
    }

    public static async Task Send(HttpContext context, string contentType, ReadOnlyMemory<byte> body)
    {
        var response = context.Response;
        response.ContentType = contentType;
        response.ContentLength = body.Length;
        response.Headers[HeaderNames.CacheControl] = "no-store";
        response.Headers[HeaderNames.XContentTypeOptions] = "nosniff";
        await response.Body.WriteAsync(body, context.RequestAborted).ConfigureAwait(false);
    }
}
