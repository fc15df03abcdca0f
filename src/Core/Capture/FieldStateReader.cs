using System.Runtime.CompilerServices;

namespace AsyncLog;

/// <summary>Reads the states of <c>LoggerMessage.Define</c> and <c>[LoggerMessage]</c> (up to six values) field by field, without a box.</summary>
/// <remarks>Made only after a state was read both ways with the same result; anything unexpected leaves the type to the list reader for good.</remarks>
internal sealed class FieldStateReader<TState> : StateReader<TState>
{
    private readonly int _formatterOffset;
    private readonly StateField[] _fields;
    private readonly Delegate _ownFormatter;
    private readonly ListStateReader<TState> _fallback;

    private FieldStateReader(int formatterOffset, StateField[] fields, Delegate ownFormatter, ListStateReader<TState> fallback)
    {
        _formatterOffset = formatterOffset;
        _fields = fields;
        _ownFormatter = ownFormatter;
        _fallback = fallback;
    }

    /// <summary>Makes the reader, if the type is what it should be and this state reads the same as through its own indexer.</summary>
    public static FieldStateReader<TState>? TryMake(in TState state, Func<TState, Exception?, string> formatter, ListStateReader<TState> fallback)
    {
        if (!RuntimeFeature.IsDynamicCodeSupported || !MelStates.IsOwnFormatter(formatter))
            return null;
        var fields = MelStates.FieldsOf(typeof(TState));
        if (fields is null)
            return null;
        // The formatter is read apart, so that six values and it fit one packed answer each.
        var formatterOffset = FieldOffsets.Of<TState>([fields[0]]);
        var offsets = FieldOffsets.Of<TState>(fields[1..]);
        if (formatterOffset is null || offsets is null)
            return null;
        var described = new StateField[offsets.Length];
        for (var i = 0; i < described.Length; i++)
            described[i] = StateField.Of(fields[i + 1].FieldType, offsets[i]);
        var reader = new FieldStateReader<TState>(formatterOffset[0], described, formatter, fallback);
        return !Array.Exists(described, static field => field.IsOpaque) && reader.ReadsTheSame(in state) ? reader : null;
    }

    public override void Read(in TState state, Func<TState, Exception?, string> formatter, Exception? exception, LogEvent target)
    {
        ref var bytes = ref Unsafe.As<TState, byte>(ref Unsafe.AsRef(in state));
        var owner = Unsafe.As<byte, object>(ref Unsafe.Add(ref bytes, _formatterOffset));
        var shape = owner is null ? null : StateShapes.Find(owner) ?? AddShape(owner, in state);
        if (shape?.Template is null || !ReferenceEquals(formatter, _ownFormatter))
        {
            _fallback.Read(in state, formatter, exception, target);
            return;
        }

        target.MessageTemplate = shape.Text;
        var fields = _fields;
        for (var i = 0; i < fields.Length; i++)
            target.AddProperty(shape.Names[i], fields[i].Read(ref bytes));
        if (fields.Length == 0)
            target.SetMessage(shape.Text);
        else
            target.SetMessage(shape.Template);
    }

    private StateShape? AddShape(object owner, in TState state)
    {
        var list = (IReadOnlyList<KeyValuePair<string, object?>>)state!;
        if (list.Count != _fields.Length + 1 || list[list.Count - 1].Value is not string text || list[list.Count - 1].Key != StateKeys.OriginalFormat)
            return null;
        var names = new string[_fields.Length];
        for (var i = 0; i < names.Length; i++)
            names[i] = list[i].Key;
        var template = MessageTemplates.Find(text);
        if (template is not null && template.Holes != names.Length)
            template = null;
        return StateShapes.Add(new StateShape(owner, names, text, template));
    }

    private bool ReadsTheSame(in TState state)
    {
        var list = (IReadOnlyList<KeyValuePair<string, object?>>)state!;
        if (list.Count != _fields.Length + 1)
            return false;
        ref var bytes = ref Unsafe.As<TState, byte>(ref Unsafe.AsRef(in state));
        for (var i = 0; i < _fields.Length; i++)
        {
            if (!Equals(_fields[i].Read(ref bytes).ToObject(), list[i].Value))
                return false;
        }

        return true;
    }
}
