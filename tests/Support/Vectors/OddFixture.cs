using System.Diagnostics;
using System.Globalization;
using System.Reflection;
using System.Text.Json;
using System.Text.RegularExpressions;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Vectors;

/// <summary>Makes the call that a fixture of vectors/odd.jsonl describes: parts <c>kind:Name(arguments)</c> with commas between them. Every argument counts; an unknown name is an error.</summary>
internal sealed partial class OddFixture
{
    private const string DefaultException = "System.InvalidOperationException";
    private const int CallsWhileChanged = 300;
    private const int RandomCalls = 500;
    private static readonly TimeSpan Longest = TimeSpan.FromSeconds(10);
    private readonly IVectorTarget _target;
    private readonly Part[] _parts;
    private string _category;
    private LogLevel _level = LogLevel.Information;
    private EventId _eventId;
    private object _state = new List<KeyValuePair<string, object?>>();
    private Func<object, string?>? _message;
    private Exception? _exception;
    private Func<IDisposable?>? _activity;
    private CultureInfo _uiCulture = CultureInfo.InvariantCulture;
    private CultureInfo _culture = CultureInfo.InvariantCulture;
    private readonly List<object?> _scopes = [];
    private readonly List<ICollection<KeyValuePair<string, object?>>> _changing = [];
    private (int Seed, int Calls)? _random;

    /// <param name="text">The fixture.</param>
    /// <param name="target">What is logged to.</param>
    public OddFixture(string text, IVectorTarget target)
    {
        _target = target;
        _category = target.DefaultCategory;
        _parts = [.. Split(text).Select(static part => new Part(part.Trim()))];
        Assert.NotEmpty(_parts);
        foreach (var part in _parts)
            Use(part);
    }

    /// <summary>What the call threw; null: nothing.</summary>
    public Exception? Thrown { get; private set; }

    /// <summary>Makes the call, or calls, on a thread of its own.</summary>
    /// <returns>False when it did not return within 10 s.</returns>
    public bool Make()
    {
        var thread = new Thread(() => Thrown = Record.Exception(Run), maxStackSize: 16 << 20) { IsBackground = true, Name = "odd call", CurrentCulture = _culture, CurrentUICulture = _uiCulture };
        thread.Start();
        return thread.Join(Longest);
    }

    private static IEnumerable<string> Split(string text)
    {
        var (start, depth, isText) = (0, 0, false);
        for (var i = 0; i < text.Length; i++)
        {
            if (text[i] == '"' && (i == 0 || text[i - 1] != '\\'))
                isText = !isText;
            if (isText)
                continue;
            depth += text[i] is '(' or '[' or '{' ? 1 : text[i] is ')' or ']' or '}' ? -1 : 0;
            if (text[i] != ',' || depth > 0)
                continue;
            yield return text[start..i];
            start = i + 1;
        }

        yield return text[start..];
    }

    private static Exception ExceptionOf(string type, string message) =>
        VectorValue.FindType(type) is { } known && known.IsSubclassOf(typeof(Exception)) && known.GetConstructor([typeof(string)]) is { } constructor
            ? (Exception)constructor.Invoke([message])
            : VectorException.Of(type, () => message);

    private void Use(Part part)
    {
        switch (part.Kind)
        {
            case "value": SetValue(part); break;
            case "state": SetState(part); break;
            case "scope": _scopes.Add(Pairs(part) ?? ObjectOf(part)); break;
            case "formatter": _message = FormatterOf(part); break;
            case "message": SetMessage(part.Name == "Null" ? null : (string)TextOf(part)); break;
            case "exception": _exception = ExceptionOf(part); break;
            case "activity": _activity = ActivityOf(part); break;
            case "eventId": _eventId = EventIdOf(part); break;
            case "category": _category = (string)TextOf(part); break;
            case "level": _level = part.Name is "Value" or "Undefined" ? (LogLevel)part.Number(0) : Enum.Parse<LogLevel>(part.Name); break;
            case "uiCulture": _uiCulture = CultureInfo.GetCultureInfo(part.Name, predefinedOnly: true); break;
            case "culture": _culture = CultureInfo.GetCultureInfo(part.Name, predefinedOnly: true); break;
            case "random": _random = part.Name == "Strings" ? (part.Number(0, 4711), part.Number(1, RandomCalls)) : throw part.Unknown(); break;
            default: throw part.Unknown();
        }

        part.RequireAllRead();
    }

    private void SetMessage(string? text) => _message = _ => text;

    private void SetValue(Part part) => ((List<KeyValuePair<string, object?>>)_state).Add(new("p", ObjectOf(part)));

    private void SetState(Part part)
    {
        _state = Pairs(part) ?? ObjectOf(part)!;
        if (_state is not IEnumerable<KeyValuePair<string, object?>>)
            _message ??= static state => state.ToString();
    }

    // States and scopes that are lists of properties.
    private object? Pairs(Part part) => part.Name switch
    {
        "NullKey" => (List<KeyValuePair<string, object?>>)[new(null!, 0), part.Pair(0)],
        "EmptyKey" => (List<KeyValuePair<string, object?>>)[new("", 0), part.Pair(0)],
        "Pairs" or "List" or "DuplicateKey" or "DuplicateKeys" => part.AllPairs(),
        "ConcurrentlyChanged" => Changing(),
        "CountThrows" => new ThrowingState(FailureOf(part), "Count"),
        "IndexerThrows" => new ThrowingState(FailureOf(part), "Indexer"),
        "EnumerationThrows" or "EnumeratorThrows" => new ThrowingState(FailureOf(part), "Enumeration"),
        _ => null,
    };

    private static Func<Exception> FailureOf(Part part)
    {
        var type = part.Type(0, DefaultException);
        return () => ExceptionOf(type, "no");
    }

    private List<KeyValuePair<string, object?>> Changing()
    {
        List<KeyValuePair<string, object?>> list = [];
        _changing.Add(list);
        return list;
    }

    private object? ObjectOf(Part part) => part.Name switch
    {
        "ToStringThrows" => OddTypes.Of(part.Type(0, "Shop.BadValue"), throws: true),
        "ToStringNull" => OddTypes.Of(part.Type(0, "Shop.NoText"), throws: false),
        "ToStringLogs" or "LogsInToString" => new LoggingValue(_target.Logger(_category), part.Text(0, "inner"), isElsewhere: false),
        "ToStringLogsElsewhere" or "ToStringWaits" => new LoggingValue(_target.Logger(_category), part.Text(0, "inner"), isElsewhere: true),
        "SelfList" => SelfList(),
        "SelfDictionary" => SelfDictionary(),
        "ThrowingSequence" => ThrowingSequence(FailureOf(part), part.Number(1, 3)),
        "Sequence" or "LongSequence" => Enumerable.Range(0, part.Number(0, 1000)).Select(static number => number),
        "EndlessSequence" or "InfiniteSequence" => Endless(),
        "Nested" or "Deep" => Nested(part.Number(0, 100)),
        "Tuple" => part.ArgumentCount == 0 ? ("a", 1) : (part.Json(0), part.Json(1)),
        "Null" => null,
        "Value" => part.Json(0),
        "Array" => part.All().ToArray(),
        _ => TextOf(part),
    };

    private static object TextOf(Part part) => part.Name switch
    {
        "String" or "Text" => part.Text(0, "text"),
        "Repeat" => string.Concat(Enumerable.Repeat(part.Text(0, "x"), part.Number(1, 1))),
        "Empty" => "",
        "LoneSurrogate" => "a\uD83Db",
        _ => part.Literal ?? throw part.Unknown(),
    };

    private Func<object, string?> FormatterOf(Part part)
    {
        switch (part.Name)
        {
            case "Throws":
                var failure = FailureOf(part);
                return _ => throw failure();
            case "Null" or "ReturnsNull" or "ReturnsNullText":
                return static _ => null;
            case "Logs":
                var value = new LoggingValue(_target.Logger(_category), part.Text(0, "inner"), isElsewhere: false);
                return _ => value.ToString();
            default:
                throw part.Unknown();
        }
    }

    private static Exception ExceptionOf(Part part)
    {
        var type = part.Type(0, DefaultException);
        return part.Name switch
        {
            "MessageThrows" => VectorException.Of(type, static () => throw new InvalidOperationException("no message")),
            "MessageNull" => VectorException.Of(type, static () => null),
            "ToStringThrows" => VectorException.Of(type, static () => "boom", static () => throw new InvalidOperationException("no text")),
            "ToStringNull" => VectorException.Of(type, static () => "boom", static () => null),
            "NoStack" => ExceptionOf(type, part.Text(1, "boom")),
            "Thrown" or "WithStack" => Record.Exception((Action)(() => throw ExceptionOf(type, part.Text(1, "boom"))))!,
            "Nested" or "Inner" => Enumerable.Range(1, part.Number(1, 10)).Aggregate(
                ExceptionOf(type, "innermost"), static (inner, number) => new InvalidOperationException(number.ToString(CultureInfo.InvariantCulture), inner)),
            _ => throw part.Unknown(),
        };
    }

    private static Func<IDisposable?> ActivityOf(Part part) => part.Name switch
    {
        "W3CZeroIds" => static () => VectorRecord.Start(new string('0', 32), new string('0', 16), 0),
        "W3CZeroTraceId" => static () => VectorRecord.Start(new string('0', 32), "b7ad6b7169203331", 0),
        "W3CZeroSpanId" => static () => VectorRecord.Start("0af7651916cd43dd8448eb211c80319c", new string('0', 16), 0),
        "W3C" => static () => VectorRecord.Start("0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331", 1),
        "Hierarchical" => static () => new Activity("odd").SetIdFormat(ActivityIdFormat.Hierarchical).Start(),
        "None" => static () => null,
        _ => throw part.Unknown(),
    };

    // The number, the name or both, in any order, whatever the part is called.
    private static EventId EventIdOf(Part part)
    {
        object?[] arguments = [.. part.All()];
        var name = part.Name is "EmptyName" ? "" : arguments.OfType<string>().SingleOrDefault();
        var id = part.Name switch
        {
            "Negative" => -1,
            "MinValue" => int.MinValue,
            "MaxValue" => int.MaxValue,
            _ => arguments.OfType<int>().SingleOrDefault(part.Name is "EmptyName" or "NullName" ? 7 : 0),
        };
        Assert.True(arguments.Length > 0 || part.Name is "EmptyName" or "NullName" or "Negative" or "MinValue" or "MaxValue" or "Default", $"{part.Name} is not known.");
        return new EventId(id, name);
    }

    private static List<object?> SelfList()
    {
        List<object?> list = [];
        list.Add(list);
        return list;
    }

    private static Dictionary<string, object?> SelfDictionary()
    {
        Dictionary<string, object?> map = [];
        map["self"] = map;
        return map;
    }

    private static IEnumerable<object> ThrowingSequence(Func<Exception> failure, int after)
    {
        for (var i = 0; i < after; i++)
            yield return i;
        throw failure();
    }

    private static IEnumerable<int> Endless()
    {
        for (var i = 0; ; i = (i + 1) & 0xFFFF)
            yield return i;
    }

    private static object Nested(int levels) => Enumerable.Range(0, levels).Aggregate((object)1, static (inner, _) => new List<object> { inner });

    private void Run()
    {
        using var activity = _activity?.Invoke();
        var logger = _target.Logger(_category);
        using var scopes = new Scopes([.. _scopes.Select(scope => logger.BeginScope(scope!))]);
        if (_random is { } random)
            LogRandom(new Random(random.Seed), random.Calls);
        else if (_changing.Count > 0)
            LogWhileChanged(logger);
        else
            Log(logger);
    }

    // The state's own type is the call's type argument, as a caller's would be.
    private void Log(ILogger logger) => typeof(OddFixture).GetMethod(nameof(LogAs), BindingFlags.Static | BindingFlags.NonPublic)!.MakeGenericMethod(_state.GetType())
        .Invoke(null, BindingFlags.DoNotWrapExceptions, null, [this, logger], CultureInfo.InvariantCulture);

    private static void LogAs<TState>(OddFixture fixture, ILogger logger) => logger.Log(
        fixture._level, fixture._eventId, (TState)fixture._state, fixture._exception, (state, _) => fixture._message is { } message ? message(state!)! : fixture._target.DefaultMessage);

    private void LogWhileChanged(ILogger logger)
    {
        using var end = new CancellationTokenSource();
        var changing = new Thread(() => Change(end.Token)) { IsBackground = true };
        changing.Start();
        for (var i = 0; i < CallsWhileChanged; i++)
            Log(logger);
        end.Cancel();
        changing.Join();
    }

    private void Change(CancellationToken end)
    {
        for (var i = 0; !end.IsCancellationRequested; i++)
        {
            foreach (var list in _changing)
            {
                list.Add(new($"k{i % 7}", "\uD83D" + i));
                if (i % 50 == 0)
                    list.Clear();
            }
        }
    }

    private void LogRandom(Random random, int calls)
    {
        for (var i = 0; i < calls; i++)
        {
            var logger = _target.Logger(Any(random));
            using var text = logger.BeginScope(Any(random));
            using var scope = logger.BeginScope(new List<KeyValuePair<string, object?>> { new(Any(random), Any(random)) });
            var state = new List<KeyValuePair<string, object?>> { new(Any(random), Any(random)), new(Any(random), Any(random)), new("{OriginalFormat}", Any(random)) };
            var message = Any(random);
            logger.Log(LogLevel.Information, new EventId(i, Any(random)), state, null, (_, _) => message);
        }
    }

    private static string Any(Random random)
    {
        const int Limit = 60;
        var text = new char[random.Next(Limit)];
        for (var i = 0; i < text.Length; i++)
            text[i] = (char)(random.Next(3) == 0 ? random.Next(0x10000) : random.Next(0x80));
        return new string(text);
    }

    private sealed class Scopes(IDisposable?[] scopes) : IDisposable
    {
        public void Dispose()
        {
            foreach (var scope in scopes.Reverse())
                scope?.Dispose();
        }
    }

    /// <summary>One part, whose arguments are all read.</summary>
    private sealed partial class Part
    {
        private readonly string[] _arguments;
        private readonly HashSet<int> _read = [];
        private readonly string _text;

        public Part(string text)
        {
            _text = text;
            var match = Form().Match(text);
            Assert.True(match.Success, text);
            Kind = match.Groups["kind"].Value;
            Name = match.Groups["name"].Value;
            _arguments = match.Groups["arguments"].Value.Length == 0 ? [] : [.. Split(match.Groups["arguments"].Value).Select(static argument => argument.Trim())];
        }

        public string Kind { get; }

        public string Name { get; }

        public int ArgumentCount => _arguments.Length;

        /// <summary>The name as a value of JSON; null: it is a name.</summary>
        public object? Literal => Name[0] is '"' or '[' or '-' or (>= '0' and <= '9') || Name is "true" or "false" ? ReadJson(Name) : null;

        public string Type(int index, string missing) => Take(index) ?? missing;

        public int Number(int index) => int.Parse(Take(index)!, CultureInfo.InvariantCulture);

        public int Number(int index, int missing) => index < _arguments.Length ? Number(index) : missing;

        public string Text(int index, string missing) => index < _arguments.Length ? (string)Json(index)! : missing;

        public object? Json(int index) => ReadJson(Take(index)!);

        public IEnumerable<object?> All() => _arguments.Select((_, index) => Json(index));

        public KeyValuePair<string, object?> Pair(int index) => PairOf(JsonDocument.Parse(Take(index)!).RootElement);

        public List<KeyValuePair<string, object?>> AllPairs() => [.. _arguments.Select((_, index) => Pair(index))];

        public NotSupportedException Unknown() => new($"{_text} is not built.");

        public void RequireAllRead() => Assert.True(_read.Count == _arguments.Length, $"{_text} has an argument that nothing reads.");

        private static KeyValuePair<string, object?> PairOf(JsonElement pair) => new((string)VectorValue.Read(pair[0])!, VectorValue.Read(pair[1]));

        private static object? ReadJson(string text)
        {
            var element = JsonDocument.Parse(text).RootElement;
            return element.ValueKind == JsonValueKind.Array ? element.EnumerateArray().Select(VectorValue.Read).ToList() : VectorValue.Read(element);
        }

        private string? Take(int index)
        {
            if (index >= _arguments.Length)
                return null;
            _read.Add(index);
            return _arguments[index];
        }

        [GeneratedRegex(@"^(?<kind>[A-Za-z]+):(?<name>""(?:[^""\\]|\\.)*""|\[.*\]|-?[\w.]+(?:-[\w]+)*)(?:\((?<arguments>.*)\))?$", RegexOptions.Singleline)]
        private static partial Regex Form();
    }
}
