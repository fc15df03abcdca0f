using System.Diagnostics;
using System.Globalization;
using System.Reflection;
using System.Text.Json.Serialization;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>The answer of <c>/status</c>.</summary>
internal sealed class StatusJson(AsyncLogStatus status, ApplicationJson application)
{
    public DateTimeOffset CapturedAt => status.CapturedAt;

    public ApplicationJson Application => application.At(status.CapturedAt);

    public long QueueBytes => status.QueueBytes;

    public IReadOnlyList<string> UnknownKeys => status.UnknownKeys;

    public long ObjectsFailed => status.ObjectsFailed;

    public IReadOnlyList<string> ObjectProblems => status.ObjectProblems;

    public IEnumerable<InstanceJson> Instances => status.Instances.Select(static instance => new InstanceJson(instance));
}

/// <summary>The process that answers: distinguishes the pages of several processes.</summary>
internal sealed record ApplicationJson(string Name, string? Version, string? Environment, string Host, int ProcessId, DateTimeOffset StartedAt)
{
    // What is written beside the address of the project: see AsyncLog.AspNetCore.csproj.
    private const string GuideName = "AsyncLogGuide";

    public double UptimeSeconds { get; private init; }

    /// <summary>The version of AsyncLog.</summary>
    public string? AsyncLogVersion { get; init; } = VersionOf(typeof(ApplicationJson).Assembly);

    /// <summary>The offset of the zone in which the application shows times: <c>+01:00</c>.</summary>
    public string? UtcOffset { get; private init; }

    /// <summary>The address of docs/operations.md, whose chapters say what to do for a reason.</summary>
    public string? Guide { get; init; } = typeof(ApplicationJson).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>().FirstOrDefault(static known => known.Key == GuideName)?.Value;

    [JsonIgnore]
    public TimeZoneInfo Zone { get; init; } = TimeZoneInfo.Local;

    /// <summary>Describes this process: name and environment are those of the host, the version is that of the entry assembly.</summary>
    public static ApplicationJson Of(IServiceProvider services)
    {
        var environment = services.GetService<IHostEnvironment>();
        var entry = Assembly.GetEntryAssembly();
        using var process = Process.GetCurrentProcess();
        return new ApplicationJson(
            environment?.ApplicationName ?? entry?.GetName().Name ?? process.ProcessName,
            VersionOf(entry),
            environment?.EnvironmentName,
            System.Environment.MachineName,
            System.Environment.ProcessId,
            new DateTimeOffset(process.StartTime).ToUniversalTime())
        {
            Zone = (services.GetService<TimeProvider>() ?? TimeProvider.System).LocalTimeZone,
        };
    }

    public ApplicationJson At(DateTimeOffset time) => this with
    {
        UptimeSeconds = Math.Round(Math.Max(0, (time - StartedAt).TotalSeconds), 1),
        UtcOffset = TimeZoneInfo.ConvertTime(time, Zone).ToString("zzz", CultureInfo.InvariantCulture),
    };

    private static string? VersionOf(Assembly? assembly) => assembly?.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion.Split('+')[0];
}

/// <summary>The answer of <c>/history</c>.</summary>
internal sealed class HistoryJson(IAsyncLogControl control)
{
    public Dictionary<string, SamplesJson> Instances
        => control.GetStatus().Instances.ToDictionary(static instance => instance.Name, instance => new SamplesJson(control.GetHistory(instance.Name)), StringComparer.Ordinal);
}

/// <summary>The last ten minutes of one instance in columns, oldest first: totals, so that a reader computes rates of any width.</summary>
internal sealed class SamplesJson(IReadOnlyList<SinkSample> samples)
{
    public IEnumerable<long> At => samples.Select(static sample => sample.At.ToUnixTimeMilliseconds());

    public IEnumerable<long> QueueSize => samples.Select(static sample => sample.QueueSize);

    public IEnumerable<long> InFlight => samples.Select(static sample => sample.InFlight);

    public IEnumerable<long> Enqueued => samples.Select(static sample => sample.Enqueued);

    public IEnumerable<long> Written => samples.Select(static sample => sample.Written);

    public IEnumerable<long> Dropped => samples.Select(static sample => sample.Dropped);

    public IEnumerable<long> Batches => samples.Select(static sample => sample.Batches);

    public IEnumerable<long> WriteMicroseconds => samples.Select(static sample => (long)sample.WriteTime.TotalMicroseconds);
}

/// <summary>One instance. The order of the members is that of the JSON.</summary>
internal sealed class InstanceJson(SinkStatus status)
{
    public string Name => status.Name;

    public string Type => status.Type;

    public string Target => status.Target;

    public string State => MetricWords.Of(status.State);

    public string? Reason => status.Reason;

    public DateTimeOffset Since => status.ReasonSince;

    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public DateTimeOffset? TroubleEnded => status.TroubleEndedAt;

    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public DateTimeOffset? HealthyAt => status.HealthyAt;

    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? ServerAddress => status.ServerAddress;

    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public int? ServerPort => status.ServerPort;

    public QueueJson Queue => new(status.QueueSize, status.QueueCapacity, status.QueueBytes, status.QueueBytesLimit, status.OldestAge.TotalSeconds);

    public double UnservedSeconds => status.TimeWithoutDelivery.TotalSeconds;

    public long Offered => status.Offered;

    public long Enqueued => status.Enqueued;

    public IReadOnlyDictionary<LogLevel, long> EnqueuedByLevel => status.EnqueuedByLevel;

    public long InFlight => status.InFlight;

    public SpoolJson Spool => new(status.Spooled, status.SpooledBytes, status.SpoolBytesLimit, status.SpooledAge.TotalSeconds);

    public long Written => status.Written;

    public long Unaccounted => status.Unaccounted;

    public long Uncertain => status.Uncertain;

    // Of instances with AcknowledgeLevel only.
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public long Unacknowledged => status.Unacknowledged;

    // After a kill only.
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public long Recovered => status.Recovered;

    public long Dropped => status.Dropped;

    public long DroppedBefore => status.DroppedBeforeAcceptance;

    public long DroppedAfter => status.DroppedAfterAcceptance;

    public IEnumerable<DropJson> Drops => status.Drops.Select(static drop => new DropJson(drop.ReasonName, drop.Level, drop.Count));

    public IEnumerable<DropJson> RecentDrops => status.RecentDrops.Select(static drop => new DropJson(drop.ReasonName, drop.Level, drop.Count));

    public long Truncated => status.Truncated;

    public long PropertiesLeftOut => status.PropertiesLeftOut;

    public long RenderErrors => status.RenderErrors;

    public long OutputBytes => status.OutputBytes;

    public long Batches => status.Batches;

    public long WriteMicroseconds => (long)status.WriteTime.TotalMicroseconds;

    public Dictionary<string, long> Errors => Ordered(status.Errors);

    public long Retries => status.Retries;

    public double CallerWaitSeconds => status.CallerWait.TotalSeconds;

    public DateTimeOffset? LastSuccess => status.LastSuccess;

    public SinkError? LastError => status.LastError;

    public string? ConfigurationProblem => status.ConfigurationProblem;

    public IEnumerable<MeasurementJson> Measurements => status.Measurements.Select(static measurement => new MeasurementJson(measurement));

    public Dictionary<string, EffectiveLevel> EffectiveLevels => Ordered(status.EffectiveLevels);

    public RatesJson Rates => new(status.Rates);

    public WritesJson WriteSeconds => new(status.Rates.MeanWriteTime, WriteDurationHistogram.OfWrites(status));

    private static Dictionary<string, T> Ordered<T>(IReadOnlyDictionary<string, T> values)
        => values.OrderBy(static entry => entry.Key, StringComparer.Ordinal).ToDictionary(StringComparer.Ordinal);
}

internal sealed record QueueJson(long Size, long Capacity, long Bytes, long BytesLimit, double OldestAgeSeconds);

internal sealed record SpoolJson(long Records, long Bytes, long BytesLimit, double OldestAgeSeconds);

internal sealed record DropJson(string Reason, LogLevel Level, long Count);

internal sealed class MeasurementJson(SinkMeasurement measurement)
{
    public string Name => measurement.Name;

    public string Unit => measurement.Unit;

    public string Description => measurement.Description;

    public Dictionary<string, string> Tags => new(measurement.Tags, StringComparer.Ordinal);

    public long Value => measurement.Value;
}

internal sealed class RatesJson(SinkRates rates)
{
    public double EnqueuedPerSecond => Math.Round(rates.EnqueuedPerSecond, 2);

    public double WrittenPerSecond => Math.Round(rates.WrittenPerSecond, 2);

    public double DroppedPerSecond => Math.Round(rates.DroppedPerSecond, 2);

    public double OutputBytesPerSecond => Math.Round(rates.OutputBytesPerSecond, 2);
}

/// <summary>Durations of calls of the sink, in seconds: the mean of the last second, the quantiles since the start.</summary>
internal sealed class WritesJson(TimeSpan mean, WriteDurationHistogram writes)
{
    public long Count => writes.Count;

    public double? Mean => mean > TimeSpan.Zero ? Math.Round(mean.TotalSeconds, 6) : null;

    public double? P50 => Rounded(0.5);

    public double? P95 => Rounded(0.95);

    public double? P99 => Rounded(0.99);

    private double? Rounded(double share) => writes.Quantile(share) is { } seconds ? Math.Round(seconds, 6) : null;
}

[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, UseStringEnumConverter = true, GenerationMode = JsonSourceGenerationMode.Metadata)]
[JsonSerializable(typeof(StatusJson))]
[JsonSerializable(typeof(HistoryJson))]
[JsonSerializable(typeof(Dictionary<string, string>))]
internal sealed partial class DashboardJson : JsonSerializerContext;
