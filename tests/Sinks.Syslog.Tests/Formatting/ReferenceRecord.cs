using System.Globalization;
using System.Text;
using Units = System.Collections.Generic.List<byte[]>;

namespace AsyncLog.Tests.Formatting;

/// <summary>The rules of a record, written down once more as naively as can be: whole texts, lists of units, no bounds, no reuse.</summary>
internal sealed class ReferenceRecord(HostileCall call, AsyncSyslogLoggerOptions options)
{
    private const string Pri = "<14>1 2026-11-20T12:34:56.123456Z host-1 shop 4242 ";
    private const int LongestValue = 1024;
    private const string Trace = "opentelemetry";
    private static readonly byte[] Bom = [0xEF, 0xBB, 0xBF];
    private static readonly byte[] Dots = "..."u8.ToArray();

    private readonly string _library = $"log@{options.EnterpriseNumber}";
    private readonly string _property = $"prop@{options.EnterpriseNumber}";
    private readonly int _limit = options.MaxMessageSize!.Value - (options.SequenceId ? 30 : 0);

    public int Dropped { get; private set; }

    public bool IsTruncated { get; private set; }

    /// <summary>The message as it goes over the wire, numbered 1.</summary>
    public byte[] Render()
    {
        var header = Encoding.ASCII.GetBytes(Pri + MsgId() + " ");
        var parameters = Parameters();
        var text = Text();
        var all = Join(header, Data(parameters, 0), text.Count == 0 ? [] : [(byte)' ', .. text.SelectMany(static unit => unit)]);
        if (LengthOf(header, Data(parameters, 0), text) <= _limit)
        {
            IsTruncated = parameters.Any(static parameter => parameter.IsCut);
            return all;
        }

        var budget = _limit - header.Length - (text.Count == 0 ? 0 : 1 + Math.Min(Size(text), _limit / 4));
        var kept = Keep(parameters, budget);
        Dropped = parameters.Count - kept.Count;
        var data = Data(kept, Dropped);
        var left = _limit - LengthOf(header, data, []) - 1;
        IsTruncated = kept.Any(static parameter => parameter.IsCut) || Size(text) > left;
        return Join(header, data, text.Count == 0 ? [] : [(byte)' ', .. Cut(text, left)]);
    }

    private static int Size(Units units) => units.Sum(static unit => unit.Length);

    private static byte[] Cut(Units units, int budget)
    {
        if (Size(units) <= budget)
            return [.. units.SelectMany(static unit => unit)];
        var kept = new List<byte>();
        foreach (var unit in units)
        {
            if (kept.Count + unit.Length > budget - Dots.Length)
                break;
            kept.AddRange(unit);
        }

        return [.. kept, .. Dots];
    }

    private byte[] Join(byte[] header, string data, byte[] text)
    {
        if (options.SequenceId)
        {
            // Before everything else, in place of a lone nil.
            data = "[meta sequenceId=\"1\"]" + data;
        }

        return [.. header, .. Encoding.UTF8.GetBytes(data.Length == 0 ? "-" : data), .. text];
    }

    private int LengthOf(byte[] header, string data, Units text) =>
        header.Length + (data.Length == 0 && !options.SequenceId ? 1 : Encoding.UTF8.GetByteCount(data)) + (text.Count == 0 ? 0 : 1 + Size(text));

    private string MsgId() => call.EventName.Length > 0 ? Clean(call.EventName, static c => c is >= '!' and <= '~')
        : call.EventId != 0 ? call.EventId.ToString(CultureInfo.InvariantCulture) : "-";

    private static string Clean(string text, Func<char, bool> isAllowed)
    {
        var clean = string.Concat(text.EnumerateRunes().Select(rune => rune.IsAscii && isAllowed((char)rune.Value) ? (char)rune.Value : '_'));
        return clean.Length > 32 ? clean[..32] : clean;
    }

    private List<ReferenceParameter> Parameters()
    {
        var all = new List<ReferenceParameter>();
        if (call.HasTrace)
        {
            // Half an id would be another one: the limit of a value is for texts.
            all.Add(new ReferenceParameter(Trace, "trace_id", HostileCallTests.TraceId, IsCut: false));
            all.Add(new ReferenceParameter(Trace, "span_id", HostileCallTests.SpanId, IsCut: false));
            all.Add(new ReferenceParameter(Trace, "trace_flags", "01", IsCut: false));
        }

        if (call.Category.Length > 0)
            Add(_library, "category", call.Category);
        if (call.EventId != 0)
            Add(_library, "eventId", call.EventId.ToString(CultureInfo.InvariantCulture));
        if (call.EventName.Length > 0 && MsgId() != call.EventName)
            Add(_library, "eventName", call.EventName);
        if (call.Exception is { } exception)
        {
            Add(_library, "exceptionType", "Shop.HostileException");
            Add(_library, "exceptionMessage", exception.Message);
        }

        AddProperties(all, Add);
        return all;

        void Add(string element, string name, string value) => all.Add(Parameter(element, name, value));
    }

    private void AddProperties(List<ReferenceParameter> all, Action<string, string, string> add)
    {
        List<(string Key, object? Value, int Strength)> list = [.. call.State.Select(static pair => (pair.Key, pair.Value, 100))];
        list.AddRange(options.Properties.OrderBy(static pair => pair.Key, StringComparer.Ordinal).Select(static pair => (pair.Key, (object?)pair.Value, 99)));
        for (var scope = 0; scope < call.Scopes.Length; scope++)
            list.AddRange(call.Scopes[scope].Where(pair => !call.HasTrace || pair.Key is not ("TraceId" or "SpanId" or "ParentId")).Select(pair => (WithoutSign(pair.Key), pair.Value, scope)));
        for (var i = 0; i < list.Count; i++)
        {
            var (key, value, strength) = list[i];
            var isBeaten = list.Where((other, j) => other.Key == key && (other.Strength > strength || (other.Strength == strength && j > i))).Any();
            if (!isBeaten)
                add(_property, Unique(all, key), Convert.ToString(value, CultureInfo.InvariantCulture)?.Replace("True", value is true ? "true" : "True") ?? "");
        }
    }

    // The pairs of a scope have the signs of a template; no value here is an object that a sign would change.
    private static string WithoutSign(string key) => key is ['@' or '$', _, ..] ? key[1..] : key;

    private string Unique(List<ReferenceParameter> all, string key)
    {
        var clean = Clean(key, static c => c is >= '!' and <= '~' and not ('=' or ']' or '"'));
        clean = clean.Length == 0 ? "_" : clean;
        var name = clean;
        for (var number = 2; all.Any(parameter => parameter.Element == _property && parameter.Name == name); number++)
        {
            var end = string.Create(CultureInfo.InvariantCulture, $"~{number}");
            name = clean[..Math.Min(clean.Length, 32 - end.Length)] + end;
        }

        return name;
    }

    private static ReferenceParameter Parameter(string element, string name, string value)
    {
        var units = UnitsOf(value, isParameter: true);
        return new ReferenceParameter(element, name, Encoding.UTF8.GetString(Cut(units, LongestValue)), Size(units) > LongestValue);
    }

    private List<ReferenceParameter> Keep(List<ReferenceParameter> parameters, int budget)
    {
        var kept = new List<ReferenceParameter>();
        foreach (var parameter in parameters)
        {
            var isOpen = kept.Any(other => other.Element == parameter.Element);
            var hasLibrary = kept.Any(other => other.Element == _library) || parameter.Element == _library;
            var reserve = 15 + (hasLibrary ? 0 : _library.Length + 2);
            if (SizeOf(kept) + parameter.Size + (isOpen ? 0 : parameter.Element.Length + 2) + reserve <= budget)
                kept.Add(parameter);
        }

        return kept;
    }

    private static int SizeOf(List<ReferenceParameter> kept) =>
        kept.Sum(static parameter => parameter.Size) + kept.Select(static parameter => parameter.Element).Distinct().Sum(static id => id.Length + 2);

    private string Data(List<ReferenceParameter> kept, int dropped)
    {
        var data = new StringBuilder();
        foreach (var element in new[] { Trace, _library, _property })
        {
            var inside = string.Concat(kept.Where(parameter => parameter.Element == element).Select(static parameter => parameter.Text));
            if (element == _library && dropped > 0)
                inside += string.Create(CultureInfo.InvariantCulture, $" dropped=\"{dropped}\"");
            if (inside.Length > 0)
                data.Append('[').Append(element).Append(inside).Append(']');
        }

        return data.ToString();
    }

    private Units Text()
    {
        var message = call.Message.TrimStart('\uFEFF').TrimEnd('\r', '\n');
        if (call.Exception is { } exception)
            message = (message.Length == 0 ? "" : message + "\n") + exception.Text.TrimEnd('\r', '\n');
        var units = UnitsOf(message.TrimStart('\uFEFF'), isParameter: false);
        var isAscii = units.All(static unit => unit.All(static value => value < 0x80));
        if (units.Count > 0 && options.Bom && !isAscii)
            units.Insert(0, Bom);
        return units;
    }

    private static Units UnitsOf(string text, bool isParameter) => [.. text.EnumerateRunes().Select(rune => Encoding.UTF8.GetBytes(UnitOf(rune, isParameter)))];

    private static string UnitOf(Rune rune, bool isParameter)
    {
        var code = rune.Value;
        var isControl = code is < 0x20 or (>= 0x7F and < 0xA0) or 0x61C or 0x200E or 0x200F or (>= 0x2028 and <= 0x202E) or (>= 0x2066 and <= 0x2069);
        if (!isControl)
            return isParameter && (code is '"' or '\\' or ']') ? "\\" + rune : rune.ToString();
        var backslash = isParameter ? "\\\\" : "\\";
        return backslash + code switch { '\n' => "n", '\r' => "r", '\t' => "t", _ => "u" + code.ToString("x4", CultureInfo.InvariantCulture) };
    }
}

/// <summary>A parameter as it stands on the wire.</summary>
internal sealed record ReferenceParameter(string Element, string Name, string Value, bool IsCut)
{
    public string Text => $" {Name}=\"{Value}\"";

    public int Size => Encoding.UTF8.GetByteCount(Text);
}
