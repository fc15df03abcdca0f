using System.Text.Json;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Process-wide options, configuration section <c>AsyncLog</c>.</summary>
public sealed class AsyncLogOptions
{
    /// <summary>True if unknown keys stop the start instead of being reported.</summary>
    /// <value>Default false.</value>
    public bool Strict { get; set; }

    /// <summary>True if an unhandled exception is recorded and everything waiting is flushed, within 2 s, when the process dies or exits.</summary>
    /// <value>Default true.</value>
    /// <remarks>SIGTERM, SIGINT (Ctrl+C), SIGQUIT and SIGHUP flush too, in programs without a host: .NET ends these without any exit event. The signal is never
    /// cancelled, and a second one ends the program at once. A host drains when it stops, whatever the value.</remarks>
    public bool FlushOnCrash { get; set; } = true;

    /// <summary>The lowest level of self-reports on stderr; Information adds details of the start. The environment variable <c>ASYNCLOG_DIAGNOSTICS</c> wins.</summary>
    /// <value>Default <see cref="LogLevel.Warning"/>.</value>
    public LogLevel SelfReportLevel { get; set; } = LogLevel.Warning;

    /// <summary>True if each instance is announced with one line at start.</summary>
    /// <value>Default true.</value>
    public bool StartupReport { get; set; } = true;

    /// <summary>The directory of <see cref="SinkOptions.CrashBuffer"/>: an absolute path on tmpfs or ramfs.</summary>
    /// <value>Default null: <c>/dev/shm/asynclog-UID</c>. The directory is made with mode 0700; one that others may write, or that is on a disk, is refused. A
    /// change applies at the next start.</value>
    public string? CrashBufferPath { get; set; }

    /// <summary>How System.Text.Json writes objects under a name with <c>@</c>, such as <c>{@Order}</c>. Changed in code; read at the start and copied.</summary>
    /// <value>By default cycles and nulls are left out, enums are names, tuples have their elements, and only what JSON requires is escaped. Containers deeper
    /// than <see cref="JsonSerializerOptions.MaxDepth"/> levels (8) become the text <c>...</c>.
    /// Fields other than those of tuples need a <see cref="System.Text.Json.Serialization.JsonIncludeAttribute"/>. Contracts are made by reflection. An application that is trimmed or compiled ahead has no reflection: add its <see cref="System.Text.Json.Serialization.JsonSerializerContext"/>
    /// to <see cref="JsonSerializerOptions.TypeInfoResolverChain"/>. Without a contract an object is written as its <c>ToString()</c>, and reported once per type.</value>
    public JsonSerializerOptions SerializerOptions => ChangedSerializerOptions ??= ObjectContract.Defaults();

    /// <summary>The options of the serializer; null until the application reads <see cref="SerializerOptions"/>. An application that does not change them does not load the serializer at its start.</summary>
    internal JsonSerializerOptions? ChangedSerializerOptions { get; private set; }
}
