using System.Globalization;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Reads the environment variables of the OpenTelemetry specification into options; sections and code are applied later and win.</summary>
/// <remarks>An empty variable is unset. One that is malformed is ignored, with a notice (OpenTelemetry environment variable specification).</remarks>
internal sealed class OtlpEnvironment
{
    private const string Exporter = "OTEL_EXPORTER_OTLP_";
    private const string LogsExporter = "OTEL_EXPORTER_OTLP_LOGS_";
    private const string Batch = "OTEL_BLRP_";
    private const int MaxQueued = 10_000_000;
    private const int MinuteInMilliseconds = 60_000;
    private const int DayInMilliseconds = 86_400_000;
    private const int LongestShown = 100;
    private static readonly (string Text, OtlpProtocol Value)[] Protocols = [("grpc", OtlpProtocol.Grpc), ("http/protobuf", OtlpProtocol.HttpProtobuf)];
    private static readonly (string Text, CompressionMethod Value)[] Compressions = [("gzip", CompressionMethod.Gzip), ("none", CompressionMethod.None)];
    private readonly AsyncOtlpLoggerOptions _options;
    private readonly OtlpEnvironmentValues _variables;
    private readonly SinkEnvironment _environment;

    private OtlpEnvironment(AsyncOtlpLoggerOptions options, SinkEnvironment environment)
    {
        _options = options;
        _variables = options.Variables = new OtlpEnvironmentValues { HostApplicationName = environment.HostApplicationName };
        _environment = environment;
    }

    public static void Read(AsyncOtlpLoggerOptions options, SinkEnvironment environment)
    {
        var reader = new OtlpEnvironment(options, environment);
        if (reader.Switch("OTEL_SDK_DISABLED"))
            environment.SwitchOff("OTEL_SDK_DISABLED is true.");
        reader.ReadExporter();
        reader.ReadClientCertificate();
        reader.ReadHeaders();
        reader.ReadBatches();
        reader.ReadLimits();
        reader.ReadResource();
    }

    private void ReadExporter()
    {
        _variables.LogsEndpoint = Find(out _, LogsExporter + "ENDPOINT");
        _variables.Endpoint = Find(out _, Exporter + "ENDPOINT");
        _variables.IsInsecure = Switch(LogsExporter + "INSECURE", Exporter + "INSECURE");
        _options.Protocol = Choice(Protocols, LogsExporter + "PROTOCOL", Exporter + "PROTOCOL") ?? _options.Protocol;
        _options.Compression = Choice(Compressions, LogsExporter + "COMPRESSION", Exporter + "COMPRESSION") ?? _options.Compression;
        _options.Timeout = Milliseconds(DayInMilliseconds, LogsExporter + "TIMEOUT", Exporter + "TIMEOUT") ?? _options.Timeout;
        _options.Tls.CaFile = Find(out _, LogsExporter + "CERTIFICATE", Exporter + "CERTIFICATE");
    }

    private void ReadClientCertificate()
    {
        if (Find(out var certificate, LogsExporter + "CLIENT_CERTIFICATE", Exporter + "CLIENT_CERTIFICATE") is { } file)
        {
            _options.Tls.ClientCertificateFile = file;
            _options.Tls.ClientKeyFile = Find(out _, LogsExporter + "CLIENT_KEY", Exporter + "CLIENT_KEY");
            AddCredentials(certificate);
        }
        else if (Find(out var key, LogsExporter + "CLIENT_KEY", Exporter + "CLIENT_KEY") is not null)
        {
            _variables.Warn(key, $"{key} is ignored: it needs {key.Replace("CLIENT_KEY", "CLIENT_CERTIFICATE", StringComparison.Ordinal)}, the certificate of the key.");
        }
    }

    private void AddCredentials(string variable) =>
        _variables.Credentials = _variables.Credentials is { } others ? $"{others} and {variable}" : variable;

    private void ReadHeaders()
    {
        if (Find(out var name, LogsExporter + "HEADERS", Exporter + "HEADERS") is not { } text)
            return;
        AddCredentials(name);
        var number = 0;
        foreach (var pair in text.Split(',', StringSplitOptions.TrimEntries))
        {
            number++;
            if (pair.Length == 0)
                continue;

            // A notice has the position only: a header may be a password.
            if (TryParsePair(pair) is var (key, value) && OtlpHeaders.NameRule(key) is null && OtlpHeaders.ValueRule(value) is null)
                _options.Headers[key] = value;
            else
                _variables.Warn($"{name}:{number}", $"pair {number} of {name} is ignored: expected name=value in characters that headers allow.");
        }
    }

    private void ReadBatches()
    {
        _options.ScheduledDelay = Milliseconds(MinuteInMilliseconds, Batch + "SCHEDULE_DELAY") ?? _options.ScheduledDelay;
        _options.MaxQueueLength = Number(1, MaxQueued, Batch + "MAX_QUEUE_SIZE") ?? _options.MaxQueueLength;
        if (Find(out _, Batch + "MAX_EXPORT_BATCH_SIZE") is not null)
            _variables.Warn(Batch + "MAX_EXPORT_BATCH_SIZE", $"{Batch}MAX_EXPORT_BATCH_SIZE is not used: MaxRequestSize limits a request.");
        if (Find(out _, Batch + "EXPORT_TIMEOUT") is not null)
            _variables.Warn(Batch + "EXPORT_TIMEOUT", $"{Batch}EXPORT_TIMEOUT is not used: Timeout limits one request, MaxRetryTime all attempts.");
    }

    private void ReadLimits()
    {
        _options.AttributeCountLimit = Number(0, int.MaxValue, "OTEL_LOGRECORD_ATTRIBUTE_COUNT_LIMIT", "OTEL_ATTRIBUTE_COUNT_LIMIT") ?? _options.AttributeCountLimit;
        _options.AttributeValueLengthLimit =
            Number(0, int.MaxValue, "OTEL_LOGRECORD_ATTRIBUTE_VALUE_LENGTH_LIMIT", "OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT") ?? _options.AttributeValueLengthLimit;
    }

    private void ReadResource()
    {
        const string Name = "OTEL_RESOURCE_ATTRIBUTES";
        _variables.ServiceName = Find(out _, "OTEL_SERVICE_NAME");
        if (Find(out _, Name) is not { } text)
            return;
        var attributes = new Dictionary<string, string>(StringComparer.Ordinal);
        foreach (var pair in text.Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries))
        {
            if (TryParsePair(pair) is not var (key, value))
            {
                _variables.Notices.Add((LogLevel.Error, Name, $"{Name} is ignored, all of it: expected key=value pairs with percent-encoding, separated by commas."));
                return;
            }

            attributes[key] = value;
        }

        _variables.ResourceAttributes = attributes;
    }

    // A pair as W3C baggage writes it: split first, then decoded. Null: no "=", no key, or malformed escapes.
    private static (string Key, string Value)? TryParsePair(string pair)
    {
        var equals = pair.IndexOf('=', StringComparison.Ordinal);
        return equals >= 0 && TryDecode(pair[..equals].Trim()) is { Length: > 0 } key && TryDecode(pair[(equals + 1)..].Trim()) is { } value ? (key, value) : null;
    }

    private static string? TryDecode(string text)
    {
        // Malformed escapes and those that are not UTF-8 are kept: each leaves a "%" that does not come from "%25".
        var decoded = Uri.UnescapeDataString(text);
        return decoded.AsSpan().Count('%') == text.AsSpan().Count("%25") ? decoded : null;
    }

    private T? Choice<T>((string Text, T Value)[] choices, params ReadOnlySpan<string> names)
        where T : struct
    {
        foreach (var name in names)
        {
            if (_environment.GetVariable(name) is not { } text)
                continue;
            var index = Array.FindIndex(choices, choice => text.Trim().Equals(choice.Text, StringComparison.OrdinalIgnoreCase));
            if (index >= 0)
                return choices[index].Value;
            Ignore(name, text, "expected " + string.Join(" or ", choices.Select(static choice => choice.Text)));
        }

        return null;
    }

    private int? Number(int min, int max, params ReadOnlySpan<string> names)
    {
        foreach (var name in names)
        {
            if (_environment.GetVariable(name) is not { } text)
                continue;
            if (int.TryParse(text.Trim(), NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var number) && number >= min && number <= max)
                return number;
            Ignore(name, text, string.Create(CultureInfo.InvariantCulture, $"expected a whole number from {min} to {max}"));
        }

        return null;
    }

    private TimeSpan? Milliseconds(int max, params ReadOnlySpan<string> names) => Number(0, max, names) is { } number ? TimeSpan.FromMilliseconds(number) : null;

    private bool Switch(params ReadOnlySpan<string> names)
    {
        if (Find(out var name, names) is not { } text)
            return false;
        if (bool.TryParse(text, out var value))
            return value;
        Ignore(name, text, "expected true or false");
        return false;
    }

    // The value of the first variable that is set.
    private string? Find(out string name, params ReadOnlySpan<string> names)
    {
        foreach (var candidate in names)
        {
            name = candidate;
            if (_environment.GetVariable(candidate) is { } text)
                return text;
        }

        name = "";
        return null;
    }

    private void Ignore(string name, string text, string rule)
    {
        var shown = string.Concat(text.Take(LongestShown).Select(static character => char.IsControl(character) ? ' ' : character));
        _variables.Warn(name, $"{name} '{shown}' is ignored: {rule}.");
    }
}
