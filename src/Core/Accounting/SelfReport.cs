using System.Globalization;
using System.Text;

namespace AsyncLog;

/// <summary>Writes AsyncLog's self-reports to stderr: one line per report, the first at once, then at most one a minute per condition.</summary>
/// <remarks>Only workers, start-up, reload, shutdown and the publisher write; never a caller of a logger. A write that fails or takes longer than 100 ms
/// suspends the reports for a minute, the third in a row and each after it for ten; what is suppressed meanwhile is counted and reported. A write that does
/// not end, to a stopped terminal for instance, holds a thread of its own: the reporting thread continues after a second.</remarks>
internal sealed class SelfReport
{
    private const string Variable = "ASYNCLOG_DIAGNOSTICS";
    private const string FilePart = "file=";
    private const string Own = "self-report";
    private const string TimeFormat = "yyyy-MM-dd HH:mm:ss.fff zzz";
    private const int LongestLine = 1024;
    private const string TruncationMark = "...";
    private const int SlowWritesForLongPause = 3;
    private static readonly TimeSpan Slow = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan Longest = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan Pause = TimeSpan.FromMinutes(1);
    private static readonly TimeSpan LongPause = TimeSpan.FromMinutes(10);
    private readonly TimeProvider _timeProvider;
    private readonly Func<TextWriter> _output;
    private readonly bool _isFixed;
    private SelfReportLevel _level;

    // Protects the conditions and the order of lines. A write is waited for under it, for a second at most; only AsyncLog's own threads can wait here.
    private readonly Lock _gate = new();
    private readonly OncePerMinute _repeats;

    // The conditions that last, with the severity of their first report.
    private readonly Dictionary<string, SelfReportLevel> _open = new(StringComparer.Ordinal);

    // Protects the suspension; taken by the thread that writes and by those that find it writing for too long. Nothing is called under it.
    private readonly Lock _suspending = new();
    private volatile Suspension? _suspension;
    private volatile bool _isWriting;
    private int _slowWrites;
    private long _suppressed;

    /// <param name="level">Level of reports.</param>
    /// <param name="timeProvider">The clock of time stamps, pauses and the once-a-minute rule.</param>
    /// <param name="output">Returns the writer; called for each line.</param>
    /// <param name="isFixed">True if <see cref="Use"/> has no effect: the environment variable wins.</param>
    public SelfReport(SelfReportLevel level, TimeProvider timeProvider, Func<TextWriter> output, bool isFixed = false)
    {
        _isFixed = isFixed;
        _level = level;
        _timeProvider = timeProvider;
        _repeats = new OncePerMinute(timeProvider);
        _output = output;
    }

    private bool IsSuspended => _suspension is { } suspension && _timeProvider.GetElapsedTime(suspension.Began) < suspension.Pause;

    /// <summary>Reads <c>ASYNCLOG_DIAGNOSTICS</c>, which overrides the option: <c>off|error|warning|info|verbose[;file=PATH]</c>.</summary>
    public static SelfReport Create(SelfReportLevel level, TimeProvider timeProvider)
        => Create(level, timeProvider, Environment.GetEnvironmentVariable(Variable));

    /// <summary>The same with the text of the variable; null when it is not set.</summary>
    /// <param name="level">The level of the option.</param>
    /// <param name="timeProvider">The clock.</param>
    /// <param name="variable">The text.</param>
    /// <param name="output">Returns the writer unless the variable names a file; null: stderr.</param>
    public static SelfReport Create(SelfReportLevel level, TimeProvider timeProvider, string? variable, Func<TextWriter>? output = null)
    {
        var parts = (variable ?? "").Split(';', 2, StringSplitOptions.TrimEntries);
        var wanted = OptionText.Enum(typeof(SelfReportLevel), parts[0]);
        var problems = new List<string>();
        if (parts[0].Length > 0 && !wanted.IsValid)
            problems.Add($"{Problem(parts[0], "expected off, error, warning, info or verbose", wanted.Suggestion)} The level stays {level}.");

        output ??= static () => Console.Error;
        if (parts.Length == 2 && parts[1].StartsWith(FilePart, StringComparison.OrdinalIgnoreCase))
        {
            var file = new AppendedFile(parts[1][FilePart.Length..]);
            if (file.Trouble() is { } trouble)
                problems.Add($"cannot write to the file that {Variable} names: {trouble} stderr is used instead.");
            else
                output = () => file;
        }
        else if (parts.Length == 2 && parts[1].Length > 0)
        {
            problems.Add(Problem(parts[1], "expected file=PATH after the ';'", null));
        }

        var report = new SelfReport(wanted.IsValid ? (SelfReportLevel)wanted.Value! : level, timeProvider, output, wanted.IsValid);
        problems.ForEach(problem => report.Write(SelfReportLevel.Error, Own, problem));
        return report;
    }

    /// <summary>Sets the level, unless the environment variable did.</summary>
    public void Use(SelfReportLevel level)
    {
        if (!_isFixed)
            _level = level;
    }

    /// <summary>Returns true if the level lets a report of this severity through.</summary>
    public bool IsEnabled(SelfReportLevel severity) => severity != SelfReportLevel.Off && severity <= _level;

    /// <summary>Prints one line.</summary>
    /// <param name="severity">Severity.</param>
    /// <param name="source">An instance's name, a provider's alias or <c>configuration</c>.</param>
    /// <param name="message">The event, and the action of AsyncLog.</param>
    public void Write(SelfReportLevel severity, string source, string message) => Locked(severity, () => Print(severity, severity, source, message));

    /// <summary>Prints one line during a pause too, unless a write is still under way: an instance that ends has no later minute.</summary>
    public void WriteFinal(SelfReportLevel severity, string source, string message)
        => Locked(severity, () => Print(severity, severity, source, message, isLast: true));

    /// <summary>Prints a change made by an operator: severity info, though shown from level Warning on.</summary>
    public void Announce(string source, string message)
        => Locked(SelfReportLevel.Warning, () => Print(SelfReportLevel.Warning, SelfReportLevel.Info, source, message));

    /// <summary>Reports that changed options take effect at the next start.</summary>
    public void WriteRestartRequired(string source, IReadOnlyList<string> keys)
    {
        if (keys.Count > 0)
            Write(SelfReportLevel.Warning, source, $"{string.Join(", ", keys)} changed; applies at the next start.");
    }

    /// <summary>Reports a condition that lasts: the first time at once, then at most once a minute with the count since.</summary>
    public void Report(SelfReportLevel severity, string source, string condition, string message) => Locked(severity, () =>
    {
        var kind = KindOf(source, condition);
        var isFirst = _open.TryAdd(kind, severity);
        if (_repeats.Count(kind) is { } missed)
        {
            Print(
                severity, severity, source,
                isFirst ? message : string.Create(CultureInfo.InvariantCulture, $"{message} ({missed + 1} times since the last report)"));
        }
    });

    /// <summary>Ends a condition. If it was reported, prints the end with severity info: it is shown wherever the condition was.</summary>
    /// <param name="source">As it was reported.</param>
    /// <param name="condition">As it was reported.</param>
    /// <param name="message">The end; null: it is not printed.</param>
    public void Resolve(string source, string condition, string? message) => Locked(SelfReportLevel.Error, () =>
    {
        var kind = KindOf(source, condition);
        _repeats.Forget(kind);
        if (_open.Remove(kind, out var severity) && message is not null)
            Print(severity, SelfReportLevel.Info, source, message);
    });

    private static string KindOf(string source, string condition) => $"{source}\0{condition}";

    // A lock held for long means a slow write: it blocks the writing thread, and no other.
    private void Locked(SelfReportLevel severity, Action action)
    {
        if (!_gate.TryEnter(IsSuspended ? TimeSpan.Zero : Slow))
        {
            if (IsEnabled(severity))
                Interlocked.Increment(ref _suppressed);
            Suspend();
            return;
        }

        try
        {
            action();
        }
        finally
        {
            _gate.Exit();
        }
    }

    private void Print(SelfReportLevel severity, SelfReportLevel label, string source, string message, bool isLast = false)
    {
        if (!IsEnabled(severity))
            return;
        if ((IsSuspended && !isLast) || (!TryReportSuppressed() && !isLast) || !TryWrite(label, source, message))
            Interlocked.Increment(ref _suppressed);
    }

    private bool TryReportSuppressed()
    {
        var suppressed = Interlocked.Exchange(ref _suppressed, 0);
        if (suppressed == 0)
            return true;
        if (!TryWrite(SelfReportLevel.Warning, Own, $"{ControlText.Count(suppressed, "message was", "messages were")} suppressed, because a write failed or took longer than 100 ms."))
            Interlocked.Add(ref _suppressed, suppressed);
        return !IsSuspended;
    }

    private bool TryWrite(SelfReportLevel label, string source, string message)
    {
        // An abandoned write has not ended yet.
        if (_isWriting)
        {
            Suspend();
            return false;
        }

        var time = _timeProvider.GetLocalNow().ToString(TimeFormat, CultureInfo.InvariantCulture);
        var line = Truncate($"{time} AsyncLog: {NameOf(label)} {source}: {ControlText.Escape(message)}");
        // Written by the thread, read after it has ended.
        var isSlow = false;
        var hasFailed = false;
        _isWriting = true;
        var thread = new Thread(() =>
        {
            try
            {
                var began = _timeProvider.GetTimestamp();
                _output().WriteLine(line);
                isSlow = _timeProvider.GetElapsedTime(began) > Slow;
            }
            catch (Exception)
            {
                // Counted as suppressed; test OB_53_A_stderr_that_throws_is_tried_again_after_a_minute_and_harms_nobody.
                hasFailed = true;
            }
            finally
            {
                _isWriting = false;
            }
        })
        { IsBackground = true, Name = "AsyncLog stderr" };
        try
        {
            thread.Start();
        }
        catch (Exception)
        {
            // No thread can be started: counted as suppressed, like a write that fails.
            _isWriting = false;
            Suspend();
            return false;
        }

        // One that does not end in time is printed later, or fails unseen.
        var hasEnded = thread.Join(Longest);
        if (!hasEnded || hasFailed || isSlow)
            Suspend();
        else
            Interlocked.Exchange(ref _slowWrites, 0);
        return !hasEnded || !hasFailed;
    }

    // The thread that writes and a thread that waits for it see the same slow write: it counts once.
    private void Suspend()
    {
        lock (_suspending)
        {
            if (IsSuspended)
                return;
            var slowWrites = Interlocked.Increment(ref _slowWrites);
            _suspension = new Suspension(_timeProvider.GetTimestamp(), slowWrites < SlowWritesForLongPause ? Pause : LongPause);
        }
    }

    private static string Problem(string value, string rule, string? suggestion)
        => ControlText.Sentence(new ConfigurationProblem(Variable, ConfigurationProblem.Show("", value), rule, suggestion).ToString());

    private static string Truncate(string line)
    {
        if (Encoding.UTF8.GetByteCount(line) <= LongestLine)
            return line;
        var utf8 = Encoding.UTF8.GetBytes(line).AsSpan(0, LongestLine - TruncationMark.Length);
        return Encoding.UTF8.GetString(utf8[..Truncation.WholeRunes(utf8)]) + TruncationMark;
    }

    private static string NameOf(SelfReportLevel severity) => severity switch
    {
        SelfReportLevel.Error => "error",
        SelfReportLevel.Warning => "warn",
        SelfReportLevel.Info => "info",
        _ => "verbose",
    };

    private sealed record Suspension(long Began, TimeSpan Pause);

    /// <summary>Opens the file for each line, so that several processes may share it and a tool may take it away.</summary>
    private sealed class AppendedFile(string path) : TextWriter
    {
        public override Encoding Encoding => Encoding.UTF8;

        /// <summary>Describes why the file cannot be opened, as a sentence; null when it can.</summary>
        public string? Trouble()
        {
            try
            {
                Open().Dispose();
                return null;
            }
            catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
            {
                return ControlText.Sentence(exception.Message);
            }
        }

        public override void WriteLine(string? value)
        {
            using var stream = Open();
            stream.Write(Encoding.GetBytes(value + Environment.NewLine));
        }

        private FileStream Open() => new(path, FileMode.Append, FileAccess.Write, FileShare.ReadWrite | FileShare.Delete);
    }
}
