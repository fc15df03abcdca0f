using System.Globalization;

namespace Replay;

/// <summary>The command line.</summary>
internal sealed record ReplayOptions
{
    private const int MostThreads = 256;
    private static readonly string[] Names
        = ["--log", "--lines", "--seed", "--threads", "--rate", "--repeat", "--settings", "--set", "--flush-timeout", "--quiet", "--help"];

    /// <summary>Names of generated logs, or paths.</summary>
    public IReadOnlyList<string> Logs { get; init; } = ["hdfs"];

    /// <summary>Lines of each generated log.</summary>
    public int Lines { get; init; } = 2000;

    /// <summary>The seed of generated logs.</summary>
    public ulong Seed { get; init; } = 1;

    public int Threads { get; init; } = 1;

    /// <summary>Records per second of all threads; null is as fast as they can.</summary>
    public double? Rate { get; init; }

    public int Repeat { get; init; } = 1;

    /// <summary>The file with the settings; null is the program's own.</summary>
    public string? Settings { get; init; }

    /// <summary>Settings that win over all others.</summary>
    public IReadOnlyList<KeyValuePair<string, string?>> Overrides { get; init; } = [];

    public TimeSpan FlushTimeout { get; init; } = TimeSpan.FromSeconds(30);

    public bool IsQuiet { get; init; }

    public bool ShowsHelp { get; init; }

    /// <summary>Reads the command line.</summary>
    /// <exception cref="UsageException">Something in it is wrong.</exception>
    public static ReplayOptions Parse(IReadOnlyList<string> arguments)
    {
        var options = new ReplayOptions();
        var logs = new List<string>();
        var overrides = new List<KeyValuePair<string, string?>>();
        for (var i = 0; i < arguments.Count; i++)
        {
            var name = arguments[i];
            switch (name)
            {
                case "--help" or "-h" or "-?": options = options with { ShowsHelp = true }; break;
                case "--quiet": options = options with { IsQuiet = true }; break;
                case "--log": logs.Add(Value(arguments, ref i)); break;
                case "--lines": options = options with { Lines = Integer(arguments, ref i, 10_000_000) }; break;
                case "--seed": options = options with { Seed = (ulong)Integer(arguments, ref i, int.MaxValue) }; break;
                case "--threads": options = options with { Threads = Integer(arguments, ref i, MostThreads) }; break;
                case "--repeat": options = options with { Repeat = Integer(arguments, ref i, int.MaxValue) }; break;
                case "--rate": options = options with { Rate = ReadRate(arguments, ref i) }; break;
                case "--settings": options = options with { Settings = Value(arguments, ref i) }; break;
                case "--set": overrides.Add(Override(arguments, ref i)); break;
                case "--flush-timeout": options = options with { FlushTimeout = TimeSpan.FromSeconds(Integer(arguments, ref i, 3600)) }; break;
                default: throw new UsageException($"{name} is not a known option{Suggest(name)}; see --help");
            }
        }
        return options with { Logs = logs.Count == 0 ? options.Logs : logs, Overrides = overrides };
    }

    private static string Value(IReadOnlyList<string> arguments, ref int at)
    {
        var name = arguments[at];
        if (at + 1 == arguments.Count || arguments[at + 1].StartsWith("--", StringComparison.Ordinal))
            throw new UsageException($"{name} needs a value; see --help");
        return arguments[++at];
    }

    private static int Integer(IReadOnlyList<string> arguments, ref int at, int most)
    {
        var name = arguments[at];
        var text = Value(arguments, ref at);
        return int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var number) && number >= 1 && number <= most
            ? number
            : throw new UsageException(string.Create(CultureInfo.InvariantCulture, $"{name} '{text}' is not valid: expected a whole number from 1 to {most}"));
    }

    private static double? ReadRate(IReadOnlyList<string> arguments, ref int at)
    {
        var text = Value(arguments, ref at);
        if (text.Equals("max", StringComparison.OrdinalIgnoreCase))
            return null;
        return double.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var rate) && rate > 0 && double.IsFinite(rate)
            ? rate
            : throw new UsageException($"--rate '{text}' is not valid: expected records per second, or max");
    }

    private static KeyValuePair<string, string?> Override(IReadOnlyList<string> arguments, ref int at)
    {
        var text = Value(arguments, ref at);
        var equals = text.IndexOf('=', StringComparison.Ordinal);
        return equals > 0
            ? new KeyValuePair<string, string?>(text[..equals].Trim(), text[(equals + 1)..])
            : throw new UsageException($"--set '{text}' is not valid: expected KEY=VALUE, as Logging:AsyncFile:Format=Json");
    }

    // What begins alike was meant: --thread, --rates.
    private static string Suggest(string name)
        => Array.Find(Names, known => name.Length > 3 && (known.StartsWith(name, StringComparison.OrdinalIgnoreCase) || name.StartsWith(known, StringComparison.OrdinalIgnoreCase)))
            is { } near ? $"; did you mean {near}?" : "";
}
