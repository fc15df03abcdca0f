using AsyncLog.Tests.Vectors;
using FsCheck;
using FsCheck.Fluent;

namespace AsyncLog.Tests.Formatting;

/// <summary>What a hostile application logs, and under which options.</summary>
internal sealed record HostileCall
{
    private static readonly Gen<string> Texts = Gen.Elements(
            "a", "word ", "é", "€", "😀", "\n", "\r\n", "\t", "\0", "\u0001", "\u007F", "\u0085", "\u009B", "\u2028", "\u202E", "\u061C", "\uFEFF", "\uD83D", "\uDC00",
            "\"", "\\", "]", "\\n", "\\u00", "=", "[", "@", "~2", " ", "-", "\u00A0", "\u2014", "٪")
        .ArrayOf().SelectMany(static pieces => Gen.Elements(1, 1, 1, 3, 40).Select(times => string.Concat(Enumerable.Repeat(string.Concat(pieces), times))));

    // Few, so that they repeat; long ones that are equal after the cut; names that have to be changed into others.
    private static readonly Gen<string> Keys = Gen.OneOf(
        Gen.Elements("a", "b", "a b", "a_b", "a=b", "", "_", "~2", new string('n', 40), new string('n', 32) + "x", "TraceId", "dropped", "é"), Texts);

    private static readonly Gen<object?> Values = Gen.OneOf(
        Texts.Select(static text => (object?)text), Gen.Choose(-5, 1 << 30).Select(static number => (object?)number), Gen.Elements<object?>(null, true, 0.5, 'x'));

    private static readonly Gen<KeyValuePair<string, object?>[]> Lists =
        Keys.SelectMany(static _ => Values, static (key, value) => KeyValuePair.Create(key, value)).ArrayOf();

    public string Message { get; init; } = "";

    public string Category { get; init; } = "";

    public int EventId { get; init; }

    public string EventName { get; init; } = "";

    public KeyValuePair<string, object?>[] State { get; init; } = [];

    public KeyValuePair<string, object?>[][] Scopes { get; init; } = [];

    /// <summary>Message and text of the exception, or null for none.</summary>
    public (string Message, string Text)? Exception { get; init; }

    public bool HasTrace { get; init; }

    /// <summary>Calls of every kind; some say nothing at all, so that what the options add stands alone.</summary>
    public static Gen<HostileCall> All { get; } = Gen.Frequency((9, Wordy), (1, Gen.Constant(new HostileCall())));

    /// <summary>Options of every kind; limits so low that most records are cut.</summary>
    public static Gen<Action<AsyncSyslogLoggerOptions>> AllOptions { get; } =
        from limit in Gen.Choose(480, 3000)
        from bom in Gen.Elements(false, true)
        from isNumbered in Gen.Elements(false, true)
        from isOctetCounted in Gen.Elements(false, true)
        from constants in Gen.Elements<string[]>([], ["a", "site"])
        select new Action<AsyncSyslogLoggerOptions>(options =>
        {
            VectorOptions.Set(options, null);
            options.Endpoint = new Uri(isOctetCounted ? "tcp://127.0.0.1" : "udp://127.0.0.1");
            (options.MaxMessageSize, options.Bom, options.SequenceId) = (limit, bom, isNumbered);
            foreach (var constant in constants)
                options.Properties[constant] = constant;
        });

    private static Gen<HostileCall> Wordy =>
        from message in Texts
        from category in Texts
        from id in Gen.Elements(0, 0, 7, -1)
        from name in Gen.OneOf(Gen.Constant(""), Texts)
        from state in Lists
        from scopes in Gen.OneOf(Gen.Constant(Array.Empty<KeyValuePair<string, object?>[]>()), Lists.ArrayOf(2))
        from exception in Gen.OneOf(Gen.Constant(((string, string)?)null), Texts.Two().Select(static pair => ((string, string)?)(pair.Item1, pair.Item2)))
        from hasTrace in Gen.Elements(false, false, true)
        select new HostileCall
        {
            Message = message,
            Category = category,
            EventId = id,
            EventName = name,
            State = state,
            Scopes = scopes,
            Exception = exception,
            HasTrace = hasTrace,
        };
}
