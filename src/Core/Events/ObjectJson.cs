using System.Buffers;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;

namespace AsyncLog;

/// <summary>One object as compact JSON, in memory that is reused.</summary>
internal sealed class ObjectJson : IBufferWriter<byte>
{
    /// <summary>The levels of the serializer, of which the deepest are cut off afterwards: a deeper graph ends there.</summary>
    public const int SerializedDepth = 64;

    // What Utf8JsonWriter usually requests, and the most that it gets for one string; a longer one is cut off as a whole.
    private const int WriterRoom = 4096;
    private const int MaxRequest = 1 << 20;

    private byte[] _bytes = [];
    private int _length;
    private int _limit;

    /// <summary>The object; null when the memory is not in use.</summary>
    public object? Source { get; private set; }

    /// <summary>Valid JSON and valid UTF-8 without control characters.</summary>
    public ReadOnlySpan<byte> Utf8 => _bytes.AsSpan(0, _length);

    /// <summary>Serializes an object.</summary>
    /// <param name="value">The object.</param>
    /// <param name="contract">The contract of its type.</param>
    /// <param name="writer">The writer of the thread.</param>
    /// <param name="limit">The most bytes; what is more is cut off and marked.</param>
    /// <param name="depth">The deepest level of containers; what lies deeper is cut off and marked.</param>
    /// <exception cref="Exception">Any exception of the object's members or the serializer.</exception>
    public void Write(object value, JsonTypeInfo contract, Utf8JsonWriter writer, int limit, int depth)
    {
        Source = value;
        _length = 0;
        _limit = limit;
        writer.Reset(this);
        var isWhole = TrySerialize(value, contract, writer);
        if (!Escaping.IsClean(Utf8, EscapeStyle.Text))
            Escape();
        if (!isWhole || _length > limit || JsonShortening.IsDeeper(Utf8, depth))
            Shorten(isWhole, depth);
        if (Utf8.Contains((byte)'\\'))
            CheckPairs(Utf8);
    }

    public void Advance(int count) => _length += count;

    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        // What is written beyond the limit would be cut off.
        if (_length > _limit || sizeHint > Math.Max(MaxRequest, _limit))
            throw new LimitReachedException();
        if (_bytes.Length - _length < Math.Max(sizeHint, 1))
            Array.Resize(ref _bytes, Math.Max(_length + Math.Max(sizeHint, 1), Math.Min(2 * _bytes.Length, _limit + WriterRoom)));
        return _bytes.AsMemory(_length);
    }

    public Span<byte> GetSpan(int sizeHint = 0) => GetMemory(sizeHint).Span;

    /// <summary>Releases the object, and memory that is more than usual. Allocates nothing.</summary>
    public void Release()
    {
        Source = null;
        if (_bytes.Length > CleanMark.Keep)
            _bytes = [];
        _length = 0;
    }

    // False if the limit of the length, or the depth of the serializer, ended it.
    private static bool TrySerialize(object value, JsonTypeInfo contract, Utf8JsonWriter writer)
    {
        try
        {
            JsonSerializer.Serialize(writer, value, contract);
            writer.Flush();
            return true;
        }
        catch (LimitReachedException)
        {
            // Marked in the JSON.
            return false;
        }
        catch (JsonException) when (writer.CurrentDepth >= SerializedDepth)
        {
            // Marked in the JSON.
            writer.Flush();
            return false;
        }
    }

    // Escapes control characters, as everywhere in a record. A converter of the application may write JSON as it is, on several lines and not in UTF-8.
    private void Escape()
    {
        var written = _bytes.AsSpan(0, _length);
        if (!System.Text.Unicode.Utf8.IsValid(written))
            throw new JsonException("A converter wrote bytes that are not UTF-8.");
        for (int at; (at = written.IndexOfAny((byte)'\n', (byte)'\r', (byte)'\t')) >= 0;)
            written[at] = (byte)' ';
        if (!Escaping.HasControl(written))
            return;
        var escaped = new RecordBuffer();
        var writer = new Utf8Writer(escaped);
        Escaping.Write(ref writer, written, EscapeStyle.Text);
        writer.Flush();
        _bytes = escaped.WrittenSpan.ToArray();
        _length = _bytes.Length;
    }

    // Throws if an escaped surrogate has no other half: the text could not be read.
    private static void CheckPairs(ReadOnlySpan<byte> json)
    {
        if (json.IndexOf("\\ud"u8) < 0 && json.IndexOf("\\uD"u8) < 0)
            return;
        var reader = new Utf8JsonReader(json);
        while (reader.Read())
        {
            if (reader.ValueIsEscaped)
                _ = reader.GetString();
        }
    }

    private void Shorten(bool isWhole, int depth)
    {
        var copy = ArrayPool<byte>.Shared.Rent(_length);
        Utf8.CopyTo(copy);
        var json = copy.AsSpan(0, _length);
        if (_bytes.Length < _limit)
            _bytes = new byte[_limit];
        _length = JsonShortening.Write(json, isWhole, depth, _bytes.AsSpan(0, _limit));
        ArrayPool<byte>.Shared.Return(copy);
    }

    private sealed class LimitReachedException : Exception;
}
