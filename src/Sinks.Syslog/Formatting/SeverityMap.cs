using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Severities by level (RFC 5424 §6.2.1); compares by value.</summary>
internal readonly record struct SeverityMap
{
    // Critical is not 0: common receivers broadcast that to every terminal.
    private const int StandardDigits = 0x234677;
    private const int Bits = 4;
    private const int Mask = 7;

    private readonly int _digits;

    /// <param name="overrides">Severities that differ.</param>
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

    /// <summary>The severity of a level.</summary>
    public int this[LogLevel level] => (_digits >> ((int)level * Bits)) & Mask;
}
