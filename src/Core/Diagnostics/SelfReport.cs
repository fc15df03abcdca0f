using System.Globalization;
using System.Runtime.InteropServices;
using System.Text;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Writes AsyncLog's self-reports to stderr: one line per report, the first at once, then at most one a minute per condition and reason.</summary>
/// <remarks>A dedicated thread writes the lines, so that a blocked stderr, for instance of a stopped terminal, holds up neither a worker nor a caller.
/// What does not fit into the queue of lines, or cannot be written, is counted, and the number is reported as soon as stderr takes lines again.</remarks>
internal sealed class SelfReport
{
    private const string Variable = "ASYNCLOG_DIAGNOSTICS";
    private const string FilePart = "file=";
    private const string Own = "self-report";
    private const string TimeFormat = "yyyy-MM-dd HH:mm:ss.fff zzz";
    private const int MaxLineLength = 1024;
    private const int MaxLines = 64;
    private const string TruncationMark = "...";
    private static readonly TimeSpan MaxFlushTime = TimeSpan.FromSeconds(1);
    private readonly TimeProvider _timeProvider;
    private readonly Func<TextWriter> _output;
    private readonly bool _isFixed;
    private LogLevel _level;

    // Protects the conditions and the order of lines.
    private readonly Lock _gate = new();
    private readonly OncePerMinute _repeats;

    // The conditions that last, with the severity of their first report.
    private readonly Dictionary<string, LogLevel> _open = new(StringComparer.Ordinal);

    // The lines that wait, each with the flow of execution that reported it: a test framework that redirects Console.Error tells tests apart by it.
    // It protects the fields below too; pulsed when the thread that writes has ended.
    private readonly Queue<(string Line, ExecutionContext? Flow)> _lines = new();
    private bool _isWriting;
    private long _suppressed;

    // True if a flush timed out and no line was written since.
    private bool _isStuck;

    /// <param name="timeProvider">The clock of time stamps and the once-a-minute rule.</param>
    /// <param name="output">Returns the writer; called for each line.</param>
    /// <param name="isFixed">True if <see cref="Use"/> has no effect: the environment variable wins.</param>
    public SelfReport(LogLevel level, TimeProvider timeProvider, Func<TextWriter> output, bool isFixed = false)
    {
        _isFixed = isFixed;
        _level = level;
        _timeProvider = timeProvider;
        _repeats = new OncePerMinute(timeProvider);
        _output = output;
    }

    /// <summary>Reads <c>ASYNCLOG_DIAGNOSTICS</c>, which overrides the option: <c>off|error|warning|info|verbose[;file=PATH]</c>.</summary>
    public static SelfReport Create(LogLevel level, TimeProvider timeProvider)
        => Create(level, timeProvider, Environment.GetEnvironmentVariable(Variable));

    /// <summary>The same with the text of the variable; null when it is not set.</summary>
    /// <param name="timeProvider">The clock.</param>
    /// <param name="output">Returns the writer unless the variable names a file; null: stderr.</param>
    public static SelfReport Create(LogLevel level, TimeProvider timeProvider, string? variable, Func<TextWriter>? output = null)
    {
        var parts = (variable ?? "").Split(';', 2, StringSplitOptions.TrimEntries);
        var wanted = parts[0].Length > 0 ? OptionText.Enum(typeof(Word), parts[0]) : ParseResult<object?>.Invalid("");
        var problems = new List<string>();
        if (parts[0].Length > 0 && !wanted.IsValid)
            problems.Add($"{Problem(parts[0], "expected off, error, warning, info or verbose", wanted.Suggestion)} The level stays {level}.");

        output ??= static () =>
        {
            StandardErrorDescriptor.WaitUntilWritable();
            return Console.Error;
        };
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

        var report = new SelfReport(wanted.IsValid ? LevelOf((Word)wanted.Value!) : level, timeProvider, output, wanted.IsValid);
        problems.ForEach(problem => report.Write(LogLevel.Error, Own, problem));
        report.Flush();
        return report;
    }

    /// <summary>Sets the level, unless the environment variable did.</summary>
    public void Use(LogLevel level)
    {
        if (!_isFixed)
            _level = level;
    }

    /// <summary>Returns true if the level lets a report of this severity through.</summary>
    public bool IsEnabled(LogLevel severity) => severity != LogLevel.None && severity >= _level;

    /// <summary>Prints one line.</summary>
    /// <param name="source">An instance's name, a provider's alias or <c>configuration</c>.</param>
    public void Write(LogLevel severity, string source, string message)
    {
        lock (_gate)
            Print(severity, severity, source, message);
    }

    /// <summary>Prints one line and waits until it is written, a second at most: the process may be about to end.</summary>
    public void WriteFinal(LogLevel severity, string source, string message)
    {
        Write(severity, source, message);
        Flush();
    }

    /// <summary>Waits until all lines are written, a second at most; not at all while nothing was written since that second was used up. Not for workers.</summary>
    /// <returns>True if no line waits.</returns>
    public bool Flush()
    {
        var began = TimeProvider.System.GetTimestamp();
        lock (_lines)
        {
            while (_isWriting && !_isStuck)
            {
                var left = MaxFlushTime - TimeProvider.System.GetElapsedTime(began);
                _isStuck = left <= TimeSpan.Zero || !Monitor.Wait(_lines, left);
            }

            return !_isWriting;
        }
    }

    /// <summary>Prints a change made by an operator: severity info, though shown from level Warning on.</summary>
    public void Announce(string source, string message)
    {
        lock (_gate)
            Print(LogLevel.Warning, LogLevel.Information, source, message);
    }

    /// <summary>Reports that changed options take effect at the next start.</summary>
    public void WriteRestartRequired(string source, IReadOnlyList<string> keys)
    {
        if (keys.Count > 0)
            Write(LogLevel.Warning, source, $"{string.Join(", ", keys)} changed; applies at the next start.");
    }

    /// <summary>Reports a condition that lasts: the first time and with each new reason at once, then at most once a minute and reason with the count since.</summary>
    public void Report(LogLevel severity, string source, string condition, string message, string reason = "")
    {
        lock (_gate)
        {
            var kind = KindOf(source, condition);
            _open.TryAdd(kind, severity);
            if (_repeats.Count(kind, reason) is { } missed)
                Print(severity, severity, source, missed == 0 ? message : string.Create(CultureInfo.InvariantCulture, $"{message} ({missed + 1} times since the last report)"));
        }
    }

    /// <summary>Ends a condition. If it was reported, prints the end with severity info: it is shown wherever the condition was.</summary>
    /// <param name="message">The end; null: it is not printed.</param>
    public void Resolve(string source, string condition, string? message)
    {
        lock (_gate)
        {
            var kind = KindOf(source, condition);
            if (!_open.Remove(kind, out var severity))
                return;
            _repeats.Remove(kind);
            if (message is not null)
                Print(severity, LogLevel.Information, source, message);
        }
    }

    private static string KindOf(string source, string condition) => $"{source}\0{condition}";

    private void Print(LogLevel severity, LogLevel label, string source, string message)
    {
        if (!IsEnabled(severity))
            return;
        var line = LineOf(label, source, message);
        lock (_lines)
        {
            if (_lines.Count < MaxLines)
                _lines.Enqueue((line, ExecutionContext.Capture()));
            else
                _suppressed++;
            if (!_isWriting)
                StartWriting();
        }
    }

    // The thread runs only while there are lines: most processes report almost nothing.
    private void StartWriting()
    {
        _isWriting = true;
        try
        {
            new Thread(WriteLines) { IsBackground = true, Name = "AsyncLog stderr" }.UnsafeStart();
        }
        catch (Exception)
        {
            // No thread can be started: the lines wait for the next report.
            _isWriting = false;
        }
    }

    private void WriteLines()
    {
        while (TryTake(out var line, out var flow, out var suppressed))
        {
            var isWritten = TryWrite(line, flow);
            lock (_lines)
            {
                _isStuck = false;
                if (isWritten)
                    continue;
                _suppressed += Math.Max(1, suppressed);
                EndWriting();
                return;
            }
        }
    }

    // The count of suppressed lines comes last, because they were reported after the waiting ones.
    private bool TryTake(out string line, out ExecutionContext? flow, out long suppressed)
    {
        lock (_lines)
        {
            suppressed = 0;
            if (_lines.TryDequeue(out var next))
            {
                (line, flow) = next;
                return true;
            }

            (line, flow) = ("", null);
            if (_suppressed == 0)
            {
                EndWriting();
                return false;
            }

            (suppressed, _suppressed) = (_suppressed, 0);
        }

        line = LineOf(LogLevel.Warning, Own, $"{ControlText.Count(suppressed, "message was", "messages were")} suppressed, because they could not be written in time.");
        return true;
    }

    private void EndWriting()
    {
        _isWriting = false;
        Monitor.PulseAll(_lines);
    }

    private bool TryWrite(string line, ExecutionContext? flow)
    {
        try
        {
            if (flow is null)
                _output().WriteLine(line);
            else
                ExecutionContext.Run(flow, _ => _output().WriteLine(line), null);
            return true;
        }
        catch (Exception)
        {
            // Counted as suppressed; test A_writer_that_throws_is_tried_again_with_the_next_report.
            return false;
        }
    }

    private string LineOf(LogLevel label, string source, string message)
    {
        var time = _timeProvider.GetLocalNow().ToString(TimeFormat, CultureInfo.InvariantCulture);
        return Truncate($"{time} AsyncLog: {NameOf(label)} {source}: {ControlText.Escape(message)}");
    }

    private static string Problem(string value, string rule, string? suggestion)
        => ControlText.Sentence(new ConfigurationProblem(Variable, ConfigurationProblem.Show("", value), rule, suggestion).ToString());

    private static string Truncate(string line)
    {
        if (Encoding.UTF8.GetByteCount(line) <= MaxLineLength)
            return line;
        var utf8 = Encoding.UTF8.GetBytes(line).AsSpan(0, MaxLineLength - TruncationMark.Length);
        return Encoding.UTF8.GetString(utf8[..Truncation.WholeRunes(utf8)]) + TruncationMark;
    }

    private static LogLevel LevelOf(Word word) => word switch
    {
        Word.Off => LogLevel.None,
        Word.Error => LogLevel.Error,
        Word.Warning => LogLevel.Warning,
        Word.Info => LogLevel.Information,
        _ => LogLevel.Debug,
    };

    private static string NameOf(LogLevel severity) => severity switch
    {
        LogLevel.Error => "error",
        LogLevel.Warning => "warn",
        LogLevel.Information => "info",
        _ => "verbose",
    };

    // The words of the variable.
    private enum Word
    {
        Off,
        Error,
        Warning,
        Info,
        Verbose,
    }

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

internal static partial class StandardErrorDescriptor
{
    private const int Descriptor = 2;
    private const short Writable = 4;
    private const int Interrupted = 4;

    /// <summary>Waits until stderr takes a line. .NET holds the lock of <see cref="Console.Out"/> during a write to it, so a write that does not end would stop
    /// the application's own lines.</summary>
    public static void WaitUntilWritable()
    {
        // Windows has no such lock.
        if (!OperatingSystem.IsLinux() && !OperatingSystem.IsMacOS())
            return;
        var entry = new PollEntry { Descriptor = Descriptor, Events = Writable };
        // Also returns when the reader is gone or the descriptor is closed: then the write fails. A signal interrupts it.
        while (Poll(ref entry, 1, Timeout.Infinite) < 0)
        {
            if (Marshal.GetLastPInvokeError() != Interrupted)
                return;
        }
    }

    [LibraryImport("libc", EntryPoint = "poll", SetLastError = true)]
    private static partial int Poll(ref PollEntry entries, nuint count, int milliseconds);

    private struct PollEntry
    {
        public int Descriptor;
        public short Events;
        public short Results;
    }
}
