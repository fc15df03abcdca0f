using System.Text.Json;

namespace AsyncLog;

/// <summary>Shortens compact JSON to a depth and a length. The result is valid JSON: the string <c>"..."</c> stands for what is cut off, with <c>"..."</c> as its name in an object.</summary>
internal static class JsonShortening
{
    private const int HighSurrogateEscape = 6;

    // The marked member, with its comma.
    private const int MemberMark = 12;

    private static ReadOnlySpan<byte> Mark => "\"...\""u8;

    /// <summary>Returns true if containers lie deeper than <paramref name="depth"/>; 1 is the outermost.</summary>
    public static bool IsDeeper(ReadOnlySpan<byte> json, int depth)
    {
        // The usual object has fewer containers than levels are allowed.
        if (json.Count((byte)'{') + json.Count((byte)'[') <= depth)
            return false;
        var reader = new Utf8JsonReader(json, new JsonReaderOptions { MaxDepth = int.MaxValue });
        while (reader.Read())
        {
            if (reader.TokenType is JsonTokenType.StartObject or JsonTokenType.StartArray && reader.CurrentDepth >= depth)
                return true;
        }
        return false;
    }

    /// <summary>Writes the shortened JSON.</summary>
    /// <param name="json">JSON, or its beginning.</param>
    /// <param name="isWhole">False if it is the beginning only.</param>
    /// <param name="depth">The deepest level of containers that is kept.</param>
    /// <param name="output">Room for the result, which is as long at most; at least 16 bytes and 1 more for each level.</param>
    /// <returns>The length of the result.</returns>
    public static int Write(ReadOnlySpan<byte> json, bool isWhole, int depth, Span<byte> output)
    {
        var reader = new Utf8JsonReader(json, isWhole, new JsonReaderState(new JsonReaderOptions { MaxDepth = int.MaxValue }));
        var result = new Result(output, depth);
        while (reader.Read())
        {
            var isWritten = reader.TokenType switch
            {
                JsonTokenType.StartObject or JsonTokenType.StartArray => result.TryOpen(ref reader, depth),
                JsonTokenType.EndObject or JsonTokenType.EndArray => result.Close(),
                JsonTokenType.PropertyName => result.TryWriteName(reader.ValueSpan),
                JsonTokenType.String => result.TryWriteString(reader.ValueSpan),
                _ => result.TryWriteValue(reader.ValueSpan),
            };
            if (!isWritten)
                return result.End();
        }
        return isWhole ? result.Length : result.End();
    }

    private ref struct Result(Span<byte> output, int depth)
    {
        private readonly Span<byte> _output = output;
        private readonly byte[] _closers = new byte[depth + 1];
        private int _depth;
        private bool _hasName;
        private bool _isFirst = true;
        private bool _isMarked;

        public int Length { get; private set; }

        // What has to fit behind everything: a mark and the brackets.
        private readonly int Room => _output.Length - Length - MemberMark - _depth - 1;

        public bool TryOpen(ref Utf8JsonReader reader, int deepest)
        {
            if (reader.CurrentDepth >= deepest)
            {
                if (Room < Mark.Length)
                    return false;
                Separate();
                Append(Mark);
                // False if the end of the container is missing: then the rest is.
                return reader.TrySkip();
            }
            if (Room < 2)
                return false;
            Separate();
            var isObject = reader.TokenType == JsonTokenType.StartObject;
            Append(isObject ? "{"u8 : "["u8);
            _closers[_depth++] = (byte)(isObject ? '}' : ']');
            _isFirst = true;
            return true;
        }

        public bool Close()
        {
            _output[Length++] = _closers[--_depth];
            _isFirst = false;
            return true;
        }

        public bool TryWriteName(ReadOnlySpan<byte> name)
        {
            // With its quotes, colon and comma, and the mark as its value.
            if (Room < name.Length + 4 + Mark.Length)
                return false;
            Separate();
            Quote(name);
            Append(":"u8);
            _hasName = true;
            return true;
        }

        public bool TryWriteString(ReadOnlySpan<byte> text)
        {
            if (Room >= text.Length + 3)
            {
                Separate();
                Quote(text);
                return true;
            }
            var length = Truncation.Find(text, Room - 3 - Truncation.Mark.Length, EscapeStyle.Json);
            if (length <= 0)
                return false;
            Separate();
            Append("\""u8);
            Append(WithoutHalfPair(text[..length]));
            Append(Truncation.Mark);
            Append("\""u8);
            _isMarked = true;
            return false;
        }

        public bool TryWriteValue(ReadOnlySpan<byte> value)
        {
            if (Room < value.Length + 1)
                return false;
            Separate();
            Append(value);
            return true;
        }

        // Marks the end and closes what is open.
        public int End()
        {
            if (!_isMarked)
            {
                var needsName = _depth > 0 && _closers[_depth - 1] == '}' && !_hasName;
                Separate();
                if (needsName)
                {
                    Append(Mark);
                    Append(":"u8);
                }
                Append(Mark);
            }
            while (_depth > 0)
                Close();
            return Length;
        }

        private void Separate()
        {
            if (!_hasName && !_isFirst)
                Append(","u8);
            _hasName = false;
            _isFirst = false;
        }

        private void Quote(ReadOnlySpan<byte> text)
        {
            Append("\""u8);
            Append(text);
            Append("\""u8);
        }

        private void Append(scoped ReadOnlySpan<byte> bytes)
        {
            bytes.CopyTo(_output[Length..]);
            Length += bytes.Length;
        }

        // An escaped high surrogate without its other half is no character.
        private static ReadOnlySpan<byte> WithoutHalfPair(ReadOnlySpan<byte> text)
            => text.Length >= HighSurrogateEscape && text[^6] == '\\' && text[^5] == 'u' && (text[^4] | 0x20) == 'd' && (text[^3] is >= (byte)'8' and <= (byte)'9' or >= (byte)'A' and <= (byte)'B' or >= (byte)'a' and <= (byte)'b')
                ? text[..^HighSurrogateEscape]
                : text;
    }
}
