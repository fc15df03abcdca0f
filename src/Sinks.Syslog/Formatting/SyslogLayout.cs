using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>All settings that affect the layout of a syslog record; compares by value.</summary>
internal sealed record SyslogLayout
{
    public SyslogForm Form { get; init; }

    public FrameKind Framing { get; init; }

    /// <summary>The most bytes of a message without framing.</summary>
    public int MaxMessageSize { get; init; } = SyslogDefaults.Udp;

    public SyslogFacility Facility { get; init; } = SyslogFacility.User;

    public SeverityMap Severities { get; init; } = SeverityMap.Standard;

    /// <summary>The application's name, not yet cleaned; empty is nil.</summary>
    public string AppName { get; init; } = "";

    /// <summary>The machine's name, not yet cleaned; empty is nil.</summary>
    public string HostName { get; init; } = "";

    /// <summary>The process: a number.</summary>
    public string ProcId { get; init; } = "";

    public SyslogMsgId MsgId { get; init; }

    public bool StructuredData { get; init; } = true;

    /// <summary>The properties that every record carries.</summary>
    public IReadOnlyList<KeyValuePair<string, string>> Properties { get; init; } = [];

    /// <summary>The SD-ID of the library's element, number included.</summary>
    public string LibraryId { get; init; } = "log@32473";

    /// <summary>The SD-ID of the element with properties, number included.</summary>
    public string PropertyId { get; init; } = "prop@32473";

    public bool Bom { get; init; }

    /// <summary>True if the worker numbers the records.</summary>
    public bool SequenceId { get; init; }

    /// <summary>The layout that valid options define.</summary>
    /// <param name="properties">The properties that every record carries, their tokens expanded; a list that compares by value.</param>
    public static SyslogLayout From(AsyncSyslogLoggerOptions options, IReadOnlyList<KeyValuePair<string, string>>? properties = null) => new()
    {
        Form = SyslogDefaults.FormOf(options),
        Framing = SyslogDefaults.FramingOf(options),
        MaxMessageSize = SyslogDefaults.MaxMessageSizeOf(options),
        Facility = options.Facility,
        Severities = new SeverityMap(options.Severity),
        AppName = options.AppName ?? "",
        HostName = options.HostName ?? "",
        ProcId = options.ProcId,
        MsgId = options.MsgId,
        StructuredData = options.StructuredData,
        Properties = properties ?? [],
        LibraryId = $"log@{options.EnterpriseNumber}",
        PropertyId = $"prop@{options.EnterpriseNumber}",
        Bom = options.Bom,
        SequenceId = options.SequenceId,
    };
}

/// <summary>Severities by level (RFC 5424 §6.2.1); compares by value.</summary>
internal readonly record struct SeverityMap
{
    // Critical is not 0: common receivers broadcast that to every terminal.
    private const int StandardDigits = 0x234677;
    private const int Bits = 4;
    private const int Mask = 7;

    private readonly int _digits;

    public SeverityMap(IEnumerable<KeyValuePair<LogLevel, int>> overrides)
    {
        _digits = StandardDigits;
        foreach (var (level, severity) in overrides)
        {
            if (level is >= LogLevel.Trace and <= LogLevel.Critical)
                _digits = (_digits & ~(Mask << ((int)level * Bits))) | ((severity & Mask) << ((int)level * Bits));
        }
    }

    /// <summary>Trace 7, Debug 7, Information 6, Warning 4, Error 3, Critical 2.</summary>
    public static SeverityMap Standard { get; } = new([]);

    public int this[LogLevel level] => (_digits >> ((int)level * Bits)) & Mask;
}
