using System.Globalization;
using System.Text;

namespace AsyncLog;

/// <summary>What AsyncLog says about itself on stderr: one line per report, first at once, then at most once a minute per condition.</summary>
/// <remarks>Only workers, start-up, reload, shutdown and the publisher write; never a caller of a logger. A write slower than 100 ms silences it for good.</remarks>
internal sealed class SelfReport
{
    private const string Variable = "ASYNCLOG_DIAGNOSTICS";
    private const string FilePart = "file=";
    private const int LongestLine = 1024;
    private const string CutMark = "...";
    private static readonly TimeSpan Slow = TimeSpan.FromMilliseconds(100);
    private readonly TimeProvider _timeProvider;
    private readonly Func<TextWriter> _output;
    private readonly bool _isFixed;
    private SelfReportLevel _level;

    // Protects the conditions and the order of lines. Writing to stderr happens under it: nobody but AsyncLog's own threads can wait here, and not for long.
    private readonly Lock _gate = new();
    private readonly OncePerMinute<(string Source, string Condition)> _told;

    // The conditions that last, with how bad they were at first.
    private readonly Dictionary<(string Source, string Condition), SelfReportLevel> _open = [];
    private volatile bool _isSilenced;

    /// <param name="level">How much is said.</param>
    /// <param name="timeProvider">The clock of the once-a-minute rule.</param>
    /// <param name="output">Where; asked anew for each line.</param>
    /// <param name="isFixed">Whether <see cref="Use"/> is overruled: the environment variable wins.</param>
    public SelfReport(SelfReportLevel level, TimeProvider timeProvider, Func<TextWriter> output, bool isFixed = false)
    {
        _isFixed = isFixed;
        _level = level;
        _timeProvider = timeProvider;
        _told = new OncePerMinute<(string, string)>(timeProvider);
        _output = output;
    }

    /// <summary>Reads <c>ASYNCLOG_DIAGNOSTICS</c>, which overrules the option: <c>off|error|warning|info|verbose[;file=PATH]</c>.</summary>
    public static SelfReport Create(SelfReportLevel level, TimeProvider timeProvider)
        => Create(level, timeProvider, Environment.GetEnvironmentVariable(Variable));

    /// <summary>The same with the text of the variable; null when it is not set.</summary>
    public static SelfReport Create(SelfReportLevel level, TimeProvider timeProvider, string? variable)
    {
        var parts = (variable ?? "").Split(';', 2, StringSplitOptions.TrimEntries);
        var wanted = OptionText.Enum<SelfReportLevel>(parts[0]);
        Func<TextWriter> output = static () => Console.Error;
        if (parts.Length == 2 && parts[1].StartsWith(FilePart, StringComparison.OrdinalIgnoreCase))
        {
            var writer = new Lazy<TextWriter>(() => new StreamWriter(parts[1][FilePart.Length..], append: true) { AutoFlush = true });
            output = () => writer.Value;
        }

        return new SelfReport(wanted.IsValid ? wanted.Value : level, timeProvider, output, wanted.IsValid);
    }

    /// <summary>Puts another level in force.</summary>
    public void Use(SelfReportLevel level)
    {
        if (!_isFixed)
            _level = level;
    }

    /// <summary>Whether a report of this severity is printed.</summary>
    public bool IsEnabled(SelfReportLevel severity) => severity != SelfReportLevel.Off && severity <= _level && !_isSilenced;

    /// <summary>Prints a line that stands for itself.</summary>
    /// <param name="severity">How bad.</param>
    /// <param name="source">An instance's name, a provider's alias or <c>configuration</c>.</param>
    /// <param name="message">What happened and what it does now.</param>
    public void Tell(SelfReportLevel severity, string source, string message)
    {
        if (!TryEnter())
            return;
        try
        {
            Print(severity, source, message);
        }
        finally
        {
            _gate.Exit();
        }
    }

    /// <summary>Says that changed options have to wait for the next start.</summary>
    public void TellNextStart(string source, IReadOnlyList<string> keys)
    {
        if (keys.Count > 0)
            Tell(SelfReportLevel.Warning, source, $"{string.Join(", ", keys)} changed; applies at the next start.");
    }

    /// <summary>Reports a condition that lasts.</summary>
    public void Report(SelfReportLevel severity, string source, string condition, string message)
    {
        if (!TryEnter())
            return;
        try
        {
            Count(severity, source, condition, message);
        }
        finally
        {
            _gate.Exit();
        }
    }

    /// <summary>Ends a condition; says so if it was reported.</summary>
    public void Resolve(string source, string condition, string message)
    {
        if (!TryEnter())
            return;
        try
        {
            _told.Forget((source, condition));
            if (_open.Remove((source, condition), out var severity))
                Print(severity, source, message);
        }
        finally
        {
            _gate.Exit();
        }
    }

    // Whoever finds the lock held for long finds a slow stderr behind it: it holds the thread that writes, and nobody else.
    private bool TryEnter()
    {
        if (_isSilenced)
            return false;
        if (_gate.TryEnter(Slow))
            return true;
        _isSilenced = true;
        return false;
    }

    private void Count(SelfReportLevel severity, string source, string condition, string message)
    {
        var isFirst = _open.TryAdd((source, condition), severity);
        if (_told.Count((source, condition)) is { } missed)
            Print(severity, source, isFirst ? message : string.Create(CultureInfo.InvariantCulture, $"{message} ({missed + 1} times since the last report)"));
    }

    private void Print(SelfReportLevel severity, string source, string message)
    {
        if (!IsEnabled(severity))
            return;
        var line = Cut($"AsyncLog: {NameOf(severity)} {source}: {ControlText.Escape(message)}");
        var began = _timeProvider.GetTimestamp();
        try
        {
            _output().WriteLine(line);
        }
        catch (Exception)
        {
            // Nobody is left to be told; test A_stderr_that_throws_anything_silences_the_self_report_and_harms_nobody.
            _isSilenced = true;
        }

        if (_timeProvider.GetElapsedTime(began) > Slow)
            _isSilenced = true;
    }

    private static string Cut(string line)
    {
        if (Encoding.UTF8.GetByteCount(line) <= LongestLine)
            return line;
        var utf8 = Encoding.UTF8.GetBytes(line).AsSpan(0, LongestLine - CutMark.Length);
        return Encoding.UTF8.GetString(utf8[..Utf8Boundary.WholeRunes(utf8)]) + CutMark;
    }

    private static string NameOf(SelfReportLevel severity) => severity switch
    {
        SelfReportLevel.Error => "error",
        SelfReportLevel.Warning => "warn",
        SelfReportLevel.Info => "info",
        _ => "verbose",
    };
}
