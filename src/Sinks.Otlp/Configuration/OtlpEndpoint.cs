namespace AsyncLog;

/// <summary>Parses, checks and resolves the address of a collector (OTLP exporter specification).</summary>
internal static class OtlpEndpoint
{
    private const string Expected = "expected http://host[:port][/path] or https://host[:port][/path]";
    private const string LogsPath = "v1/logs";
    private const string GrpcPath = "/opentelemetry.proto.collector.logs.v1.LogsService/Export";
    private const string LogsVariable = "OTEL_EXPORTER_OTLP_LOGS_ENDPOINT";
    private const string BaseVariable = "OTEL_EXPORTER_OTLP_ENDPOINT";
    private const int GrpcPort = 4317;
    private const int HttpPort = 4318;

    public static ParseResult<Uri?> Parse(string text) =>
        Uri.TryCreate(text, UriKind.Absolute, out var uri) ? new ParseResult<Uri?>(uri) : ParseResult<Uri?>.Invalid($"{Expected}, with a port from 1 to 65535{HintFor(text)}");

    /// <summary>The rule that an address breaks; null: none.</summary>
    public static string? Rule(Uri? uri) =>
        uri is null ? null
        : !uri.IsAbsoluteUri || uri.Scheme is not ("http" or "https") || uri.Host.Length == 0 ? Expected + HintFor(uri.OriginalString)
        : uri.Port == 0 ? "must have a port from 1 to 65535"
        : uri.Fragment.Length > 0 ? "must not contain a fragment: remove the text from # on"
        : null;

    /// <summary>Returns true if requests are encrypted.</summary>
    public static bool IsTls(AsyncOtlpLoggerOptions options) => (options.Endpoint is { IsAbsoluteUri: true } uri ? uri : OfVariables(options)).Scheme == "https";

    /// <summary>The server that a section, code or a variable chose; null: none. The options may not be valid.</summary>
    public static string? ServerOf(AsyncOtlpLoggerOptions options) => options.Endpoint is { } uri ? ServerOf(uri) : ServerOfVariables(options);

    /// <summary>The server that a variable names; null: none does.</summary>
    public static string? ServerOfVariables(AsyncOtlpLoggerOptions options)
    {
        if ((options.Variables.LogsEndpoint ?? options.Variables.Endpoint)?.Trim() is not { } text)
            return null;
        return Uri.TryCreate(WithScheme(options, text), UriKind.Absolute, out var uri) ? ServerOf(uri) : text;
    }

    /// <summary>Resolves the address of requests and adds notices about it.</summary>
    public static Uri Resolve(AsyncOtlpLoggerOptions options)
    {
        var isGrpc = options.Protocol == OtlpProtocol.Grpc;
        var uri = options.Endpoint is { } own ? isGrpc || own.AbsolutePath.Length > 1 ? own : Append(own) : OfVariables(options);
        if (uri.UserInfo.Length > 0)
            options.Variables.Warn("endpoint_user", "user and password of the endpoint are not sent: use Headers.");
        var builder = new UriBuilder(uri) { UserName = "", Password = "" };
        if (isGrpc)
        {
            if (uri.AbsolutePath.Length > 1)
                options.Variables.Warn("endpoint_path", $"the path {uri.AbsolutePath} of the endpoint is ignored: gRPC has its own.");
            (builder.Path, builder.Query) = (GrpcPath, "");
        }

        if (uri.Port == (isGrpc ? HttpPort : GrpcPort))
        {
            options.Variables.Warn("endpoint_port", isGrpc
                ? $"Protocol is Grpc, but port {HttpPort} is by custom that of OTLP over HTTP: is {GrpcPort} meant, or Protocol HttpProtobuf?"
                : $"Protocol is HttpProtobuf, but port {GrpcPort} is by custom that of gRPC: is {HttpPort} meant, or Protocol Grpc?");
        }

        return builder.Uri;
    }

    private static Uri OfVariables(AsyncOtlpLoggerOptions options)
    {
        var isGrpc = options.Protocol == OtlpProtocol.Grpc;
        if (Read(options, LogsVariable, options.Variables.LogsEndpoint) is { } logs)
        {
            if (!isGrpc && logs.AbsolutePath.Length <= 1 && !options.Variables.LogsEndpoint!.TrimEnd().EndsWith('/'))
                options.Variables.Warn("logs_path", $"{LogsVariable} has no path and is used as it is: requests go to /, not to /{LogsPath}.");
            return logs;
        }

        if (Read(options, BaseVariable, options.Variables.Endpoint) is { } general)
            return isGrpc ? general : Append(general);
        return new Uri(isGrpc ? $"http://localhost:{GrpcPort}" : $"http://localhost:{HttpPort}/{LogsPath}");
    }

    private static Uri? Read(AsyncOtlpLoggerOptions options, string name, string? text)
    {
        if (text is null)
            return null;
        text = text.Trim();
        if (options.Protocol == OtlpProtocol.Grpc)
            text = WithScheme(options, text);
        if (Uri.TryCreate(text, UriKind.Absolute, out var uri) && Rule(uri) is null)
            return uri;
        options.Variables.Warn(name, $"{name} is ignored: {Expected}{(HintFor(text) is { Length: > 0 } hint ? hint : ".")}");
        return null;
    }

    private static string WithScheme(AsyncOtlpLoggerOptions options, string text) =>
        text.Contains("://", StringComparison.Ordinal) ? text : $"{(options.Variables.IsInsecure ? "http" : "https")}://{text}";

    private static string ServerOf(Uri uri) =>
        uri.IsAbsoluteUri ? uri.GetComponents(UriComponents.Scheme | UriComponents.Host | UriComponents.StrongPort, UriFormat.UriEscaped) : uri.OriginalString;

    // Many exporters take an address without a scheme. Empty: the text is not one.
    private static string HintFor(string text)
    {
        if (text.Contains("://", StringComparison.Ordinal) || !Uri.TryCreate("http://" + text, UriKind.Absolute, out var uri) || uri.Host.Length == 0 || uri.UserInfo.Length > 0)
            return "";
        var builder = new UriBuilder(uri) { Port = uri.IsDefaultPort ? HttpPort : uri.Port };
        return $"; did you mean {builder.Uri.ToString().TrimEnd('/')}{(builder.Port == GrpcPort ? " with Protocol Grpc" : "")}?";
    }

    private static Uri Append(Uri uri)
    {
        var path = uri.AbsolutePath.TrimEnd('/');
        return path.EndsWith("/" + LogsPath, StringComparison.Ordinal) ? uri : new UriBuilder(uri) { Path = $"{path}/{LogsPath}" }.Uri;
    }
}
