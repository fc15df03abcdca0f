using System.Text;

namespace AsyncLog.Tests.Formatting;

/// <summary>A parser of the ABNF of RFC 5424 §6 that takes nothing else. Written for the tests, from the RFC and not from the formatter.</summary>
internal sealed class Rfc5424Parser
{
    private static readonly UTF8Encoding Strict = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    private readonly byte[] _bytes;
    private int _at;

    private Rfc5424Parser(byte[] bytes) => _bytes = bytes;

    public static ParsedRecord Parse(byte[] bytes) => new Rfc5424Parser(bytes).ParseRecord();

    private ParsedRecord ParseRecord()
    {
        Take('<');
        var pri = Number(3);
        Require(pri <= 191, "PRI is at most 191");
        Take('>');
        Require(Number(3) == 1, "the version is 1");
        Take(' ');
        var time = Timestamp();
        Take(' ');
        var host = Printable(255);
        Take(' ');
        var app = Printable(48);
        Take(' ');
        var process = Printable(128);
        Take(' ');
        var id = Printable(32);
        Take(' ');
        var data = Data();
        return new ParsedRecord(pri, time, host, app, process, id, data, Message());
    }

    private string Timestamp()
    {
        var text = Printable(32);
        if (text == "-")
            return text;
        var hasOffset = text.Length == 32 && text[26] is '+' or '-' && text[29] == ':';
        Require(hasOffset || (text.Length == 27 && text[26] == 'Z'), "the time ends with Z or an offset");
        Require(DateTimeOffset.TryParse(text, System.Globalization.CultureInfo.InvariantCulture, out _), "the time is one");
        Require(text[4] == '-' && text[7] == '-' && text[10] == 'T' && text[13] == ':' && text[16] == ':' && text[19] == '.', "the time has its form");
        return text;
    }

    private List<ParsedElement> Data()
    {
        var elements = new List<ParsedElement>();
        if (_at < _bytes.Length && _bytes[_at] == '-')
        {
            _at++;
            return elements;
        }

        do
        {
            Take('[');
            var id = Name();
            var parameters = new List<(string Name, string Value)>();
            while (Peek() == ' ')
            {
                _at++;
                var name = Name();
                Take('=');
                Take('"');
                parameters.Add((name, Value()));
            }

            Take(']');
            Require(elements.All(element => element.Id != id), "an SD-ID stands once");
            elements.Add(new ParsedElement(id, parameters));
        }
        while (_at < _bytes.Length && _bytes[_at] == '[');
        return elements;
    }

    private string? Message()
    {
        if (_at == _bytes.Length)
            return null;
        Take(' ');
        var text = Strict.GetString(_bytes.AsSpan(_at));
        Require(text.Length > 0, "without a text there is no space");
        return text;
    }

    private string Name()
    {
        var start = _at;
        while (_bytes[_at] is >= 33 and <= 126 and not ((byte)'=' or (byte)']' or (byte)'"'))
            _at++;
        Require(_at - start is >= 1 and <= 32, "a name has 1 to 32 characters");
        return Encoding.ASCII.GetString(_bytes.AsSpan(start, _at - start));
    }

    private string Value()
    {
        var value = new List<byte>();
        for (; Peek() != '"'; _at++)
        {
            Require(Peek() != ']', "] is escaped");
            if (Peek() == '\\')
            {
                _at++;
                Require(Peek() is (byte)'"' or (byte)'\\' or (byte)']', "a backslash stands before one of three characters only");
            }

            value.Add(Peek());
        }

        _at++;
        return Strict.GetString([.. value]);
    }

    private string Printable(int longest)
    {
        var start = _at;
        while (_at < _bytes.Length && _bytes[_at] is >= 33 and <= 126)
            _at++;
        Require(_at - start >= 1 && _at - start <= longest, $"a field has 1 to {longest} characters");
        return Encoding.ASCII.GetString(_bytes.AsSpan(start, _at - start));
    }

    private int Number(int mostDigits)
    {
        var start = _at;
        while (Peek() is >= (byte)'0' and <= (byte)'9')
            _at++;
        Require(_at - start >= 1 && _at - start <= mostDigits && (_at - start == 1 || _bytes[start] != '0'), "a number has no leading zero");
        return int.Parse(_bytes.AsSpan(start, _at - start), System.Globalization.CultureInfo.InvariantCulture);
    }

    private byte Peek()
    {
        Require(_at < _bytes.Length, "the record goes on");
        return _bytes[_at];
    }

    private void Take(char expected)
    {
        Require(Peek() == expected, $"expected '{expected}'");
        _at++;
    }

    private void Require(bool condition, string rule)
    {
        if (!condition)
            throw new FormatException($"{rule}, at {_at} of {Encoding.UTF8.GetString(_bytes)}");
    }
}
