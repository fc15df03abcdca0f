namespace AsyncLog;

/// <summary>The tags that every instrument has.</summary>
internal static class SinkTags
{
    public static KeyValuePair<string, object?>[] Of(string name, string type, string? serverAddress, int? serverPort)
    {
        var sink = new KeyValuePair<string, object?>("asynclog.sink.name", name);
        var kind = new KeyValuePair<string, object?>("asynclog.sink.type", type);
        if (serverAddress is null)
            return [sink, kind];
        var address = new KeyValuePair<string, object?>("server.address", serverAddress);
        return serverPort is { } port ? [sink, kind, address, new("server.port", port)] : [sink, kind, address];
    }
}
