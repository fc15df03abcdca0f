using System.Buffers.Binary;
using System.Diagnostics;

namespace AsyncLog;

/// <summary>Encodes the records of one call in the code: time, message, values and trace context between fields that are encoded in advance.</summary>
internal sealed class OtlpCall : CallSiteFormatter
{
    // More than a value that is no string takes, and than the lengths around a string or a message.
    private const int ValueRoom = 96;
    private const int TraceRoom = 64;
    private const int MaxBytesPerChar = 3;

    // Behind the tag.
    private const int TimeStart = RecordFields.HeaderBytes + 1;
    private const int NoMessage = -1;

    private readonly AttributeValues _values;
    private readonly CallText _message;
    private readonly bool _withScopes;
    private readonly PreencodedField[] _keys;
    private readonly int _recordSize;
    private readonly int _expectedMessage = NoMessage;

    // Tag and length of the record, time and severity; also what follows, if the message is not part of the record.
    private readonly byte[] _start;

    // What comes before the attributes of the values.
    private readonly byte[] _beforeValues = [];
    private readonly PreencodedField? _template;
    private readonly byte[] _end;

    // What is needed besides the texts of strings and message.
    private readonly int _room;

    /// <param name="logEvent">A record of the call whose properties have names that differ, without exception, and after 1970.</param>
    /// <param name="recordSize">The most bytes of a record, without its tag and length.</param>
    public OtlpCall(LogEvent logEvent, CallText message, AttributeWriter attributes, bool isMessageBody, int recordSize)
    {
        _message = message;
        _withScopes = attributes.WithScopes;
        _values = attributes.Values;
        _recordSize = recordSize;
        var tally = new AttributeTally(int.MaxValue);
        var writer = new ProtoWriter([], new ProtoOverflow());
        writer.Open(OtlpTag.LogRecord, RecordFields.TypicalLength);
        RecordFields.WriteStart(ref writer, logEvent);
        if (isMessageBody)
        {
            _expectedMessage = (int)logEvent.MessageLength;
            _start = Take(ref writer);
            attributes.WriteEventId(ref writer, logEvent, ref tally);
            _beforeValues = Take(ref writer);
        }
        else
        {
            writer.WriteNested(OtlpTag.Body, OtlpTag.Text, logEvent.MessageTemplate);
            attributes.WriteEventId(ref writer, logEvent, ref tally);
            _start = Take(ref writer);
        }

        _keys = new PreencodedField[logEvent.Properties.Length];
        for (var i = 0; i < _keys.Length; i++)
            _keys[i] = TemplateAttributes.KeyOf(logEvent.Properties[i].Name);
        _template = attributes.TemplateOf(logEvent);
        RecordFields.WriteName(ref writer, logEvent, recordSize);
        _end = Take(ref writer);
        _room = _start.Length + _beforeValues.Length + _keys.Sum(static key => key.Length + ValueRoom) + (_template?.Length ?? 0) + TraceRoom + _end.Length + ValueRoom;
        Debug.Assert(PreencodedField.Block <= ValueRoom, "A short field is copied as a block.");
    }

    /// <inheritdoc/>
    public override ReadOnlySpan<byte> Format(scoped ref LogCall call)
    {
        Span<byte> output = call.Scratch.Output;
        var time = RecordFields.NanosecondsAt(call.UtcTicks);
        var room = output.Length - _room;
        if (time == 0 || room < 0 || (_withScopes && call.FindContext(ScopesOnly.Instance) is not { HasScopes: false }))
            return default;
        // Does not grow: the room for all but texts is there, and theirs is counted.
        var writer = new ProtoWriter(output, null);
        writer.Write(_start);
        BinaryPrimitives.WriteUInt64LittleEndian(output[TimeStart..], time);
        if (_expectedMessage != NoMessage && !TryWriteMessage(ref writer, ref call, ref room))
            return default;
        for (var i = 0; i < _keys.Length; i++)
        {
            LogValue value = default;
            call.Read(i, ref value);
            if (value.Kind == LogValueKind.String && (room -= value.String!.Length * MaxBytesPerChar) < 0)
                return default;
            var start = writer.Open(_keys[i]);
            if (!_values.TryWrite(ref writer, OtlpTag.Value, value))
                return default;
            writer.Close(start);
        }

        if (_template is not null)
            writer.Write(_template);
        if (call.HasTrace)
            RecordFields.WriteTrace(ref writer, call.TraceId, call.SpanId, call.TraceFlags);
        RecordFields.WriteObserved(ref writer, time);
        if (_end.Length > 0)
            writer.Write(_end);
        if (writer.Position - RecordFields.HeaderBytes > _recordSize)
            return default;
        writer.Close(RecordFields.HeaderBytes, RecordFields.TypicalLength);
        return output[..writer.Position];
    }

    private bool TryWriteMessage(ref ProtoWriter writer, ref LogCall call, ref int room)
    {
        var body = writer.Open(OtlpTag.Body, _expectedMessage);
        var text = writer.Open(OtlpTag.Text, _expectedMessage);
        if (!_message.TryWrite(in call, writer.Rest[..room], out var length))
            return false;
        room -= length;
        writer.Position += length;
        writer.Close(text, _expectedMessage);
        writer.Close(body, _expectedMessage);
        writer.Write(_beforeValues);
        return true;
    }

    private static byte[] Take(ref ProtoWriter writer)
    {
        var written = writer.Written.ToArray();
        writer.Position = 0;
        return written;
    }

    // Tells only whether there is a scope: then the record needs an event.
    private sealed class ScopesOnly : IContextLayout
    {
        public static readonly ScopesOnly Instance = new();

        public bool HasScopes => true;

        public int Inserts => 0;

        public void WriteInsert(int insert, LogEvent logEvent, RecordBuffer output) => throw new UnreachableException();
    }
}
