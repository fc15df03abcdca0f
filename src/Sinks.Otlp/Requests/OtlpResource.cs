using System.Collections;
using System.Diagnostics;
using System.Globalization;
using System.Reflection;
using OpenTelemetry.Resources;

namespace AsyncLog;

/// <summary>Builds and encodes the resource: the attributes of the process that logs (OpenTelemetry resource semantic conventions).</summary>
internal static class OtlpResource
{
    private const string ServiceName = "service.name";

    // One per process, also after a reload.
    private static readonly string InstanceId = Guid.NewGuid().ToString("D");

    /// <summary>Collects the attributes of an instance; those of <see cref="AsyncOtlpLoggerOptions.ConfigureResource"/> win.</summary>
    /// <param name="options">Resolved options: with <see cref="AsyncOtlpLoggerOptions.ServiceName"/>.</param>
    public static IReadOnlyList<KeyValuePair<string, object>> AttributesOf(AsyncOtlpLoggerOptions options)
    {
        List<KeyValuePair<string, object>> own = [.. Detected()];
        own.AddRange(options.ResourceAttributes.Where(static pair => pair.Key.Length > 0).Select(static pair => KeyValuePair.Create(pair.Key, (object)pair.Value)));
        if (options.ServiceName is { } name)
            own.Add(new(ServiceName, name));
        // The builder keeps the last of equal keys only from one list to the next.
        var builder = ResourceBuilder.CreateEmpty();
        foreach (var attribute in own)
            builder.AddAttributes([attribute]);
        foreach (var configure in options.ResourceConfigurations)
            configure(builder);
        return [.. builder.Build().Attributes];
    }

    /// <summary>Encodes the field Resource of ResourceLogs.</summary>
    public static byte[] Encode(IReadOnlyList<KeyValuePair<string, object>> attributes)
    {
        var writer = new ProtoWriter([], new ProtoOverflow());
        var resource = writer.Open(OtlpTag.Resource);
        foreach (var (key, value) in attributes)
        {
            var start = writer.Open(OtlpTag.ResourceAttribute);
            writer.WriteText(OtlpTag.Key, key);
            Write(ref writer, OtlpTag.Value, value);
            writer.Close(start);
        }

        writer.Close(resource);
        return writer.Written.ToArray();
    }

    private static IEnumerable<KeyValuePair<string, object>> Detected()
    {
        if (Assembly.GetEntryAssembly()?.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion is { } version)
            yield return new("service.version", version.Split('+')[0]);
        yield return new("service.instance.id", InstanceId);
        yield return new("host.name", Environment.MachineName);
        yield return new("process.pid", (long)Environment.ProcessId);
    }

    /// <summary>The name of a service without a configured name.</summary>
    public static string UnknownService()
    {
        using var process = Process.GetCurrentProcess();
        return "unknown_service:" + process.ProcessName;
    }

    // ResourceBuilder converts values to strings, booleans, 64-bit integers, doubles and arrays of them.
    private static void Write(ref ProtoWriter writer, byte tag, object? value)
    {
        var start = writer.Open(tag);
        switch (value)
        {
            case null: break;
            case bool flag: writer.WriteVarint(OtlpTag.Bool, flag ? 1u : 0u); break;
            case long number: writer.WriteVarint(OtlpTag.Int, (ulong)number); break;
            case double number: writer.WriteFixed64(OtlpTag.Double, BitConverter.DoubleToUInt64Bits(number)); break;
            case Array items: WriteArray(ref writer, items); break;
            default: writer.WriteText(OtlpTag.Text, Convert.ToString(value, CultureInfo.InvariantCulture)); break;
        }

        writer.Close(start);
    }

    private static void WriteArray(ref ProtoWriter writer, IEnumerable items)
    {
        var start = writer.Open(OtlpTag.Array);
        foreach (var item in items)
            Write(ref writer, OtlpTag.Element, item);
        writer.Close(start);
    }
}
