namespace AsyncLog;

/// <summary>Reads the variables of the OpenTelemetry specification into options; section and code come after and win.</summary>
internal static class OtlpEnvironment
{
    private const string Exporter = "OTEL_EXPORTER_OTLP_";
    private const string LogsExporter = "OTEL_EXPORTER_OTLP_LOGS_";
    private const string Batch = "OTEL_BLRP_";
    private const int MostRecords = 100_000;
    private const int MostQueued = 10_000_000;
    private const int MinuteInMilliseconds = 60_000;
    private const int DayInMilliseconds = 86_400_000;

    public static void Read(AsyncOtlpOptions options, SinkEnvironment environment)
    {
        var variables = new OtlpVariables { HostApplicationName = environment.HostApplicationName };
        options.Variables = variables;
        var reader = new VariableReader(environment, variables);
        if (reader.Switch("OTEL_SDK_DISABLED"))
            environment.SwitchOff("OTEL_SDK_DISABLED is true.");
        ReadExporter(options, reader);
        ReadHeaders(options, reader);
        ReadBatches(options, reader);
        ReadLimits(options, reader);
        variables.ServiceName = reader.Text("OTEL_SERVICE_NAME");
        ReadResource(variables, reader);
    }

    private static void ReadExporter(AsyncOtlpOptions options, VariableReader reader)
    {
        options.Variables.LogsEndpoint = reader.Text(LogsExporter + "ENDPOINT");
        options.Variables.Endpoint = reader.Text(Exporter + "ENDPOINT");
        options.Variables.IsInsecure = reader.Switch(LogsExporter + "INSECURE", Exporter + "INSECURE");
        reader.Choice(
            value => options.Protocol = value, [("grpc", OtlpProtocol.Grpc), ("http/protobuf", OtlpProtocol.HttpProtobuf)],
            LogsExporter + "PROTOCOL", Exporter + "PROTOCOL");
        reader.Choice(
            value => options.Compression = value, [("gzip", OtlpCompression.Gzip), ("none", OtlpCompression.None)],
            LogsExporter + "COMPRESSION", Exporter + "COMPRESSION");
        reader.Number(
            value => options.Timeout = TimeSpan.FromMilliseconds(value), 0, DayInMilliseconds, LogsExporter + "TIMEOUT", Exporter + "TIMEOUT");
        options.Tls.CaFile = reader.Text(LogsExporter + "CERTIFICATE", Exporter + "CERTIFICATE");
        options.Tls.ClientKeyFile = reader.Text(LogsExporter + "CLIENT_KEY", Exporter + "CLIENT_KEY");
        options.Tls.ClientCertificateFile = reader.Text(LogsExporter + "CLIENT_CERTIFICATE", Exporter + "CLIENT_CERTIFICATE");
    }

    private static void ReadHeaders(AsyncOtlpOptions options, VariableReader reader)
    {
        if (reader.Find(out var name, LogsExporter + "HEADERS", Exporter + "HEADERS") is not { } text)
            return;
        var (headers, bad) = OtlpHeaders.Parse(text);
        foreach (var (key, value) in headers)
            options.Headers[key] = value;
        // Where, and not what: a header may be a password.
        foreach (var number in bad)
            options.Variables.Warn($"{name}:{number}", $"pair {number} of {name} is ignored: expected name=value in characters that headers allow.");
    }

    private static void ReadBatches(AsyncOtlpOptions options, VariableReader reader)
    {
        reader.Number(value => options.MaxExportBatchSize = value, 1, MostRecords, Batch + "MAX_EXPORT_BATCH_SIZE");
        reader.Number(value => options.ScheduledDelay = TimeSpan.FromMilliseconds(value), 0, MinuteInMilliseconds, Batch + "SCHEDULE_DELAY");
        reader.Number(value => options.MaxQueueLength = value, 1, MostQueued, Batch + "MAX_QUEUE_SIZE");
        if (reader.Text(Batch + "EXPORT_TIMEOUT") is not null)
        {
            options.Variables.Warn(
                Batch + "EXPORT_TIMEOUT", $"{Batch}EXPORT_TIMEOUT is not used: Timeout limits one request, MaxRetryTime all attempts.");
        }
    }

    private static void ReadLimits(AsyncOtlpOptions options, VariableReader reader)
    {
        reader.Number(value => options.AttributeCountLimit = value, 0, int.MaxValue, "OTEL_LOGRECORD_ATTRIBUTE_COUNT_LIMIT", "OTEL_ATTRIBUTE_COUNT_LIMIT");
        reader.Number(
            value => options.AttributeValueLengthLimit = value, 0, int.MaxValue,
            "OTEL_LOGRECORD_ATTRIBUTE_VALUE_LENGTH_LIMIT", "OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT");
    }

    private static void ReadResource(OtlpVariables variables, VariableReader reader)
    {
        const string Name = "OTEL_RESOURCE_ATTRIBUTES";
        if (reader.Text(Name) is not { } text)
            return;
        if (PercentPairs.TryParse(text) is { } attributes)
            variables.ResourceAttributes = attributes;
        else
            variables.Notices.Add(new OtlpNotice(SelfReportLevel.Error, Name, $"{Name} is ignored, all of it: expected key=value pairs with percent-encoding, separated by commas."));
    }
}
