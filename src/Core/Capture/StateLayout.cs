using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;

namespace AsyncLog;

/// <summary>Offsets of the values in a state of Microsoft.Extensions.Logging, measured once per type: values are read without boxing and without its indexer.</summary>
/// <remarks>
/// <para>The fields are private, so nothing is assumed: <see cref="TryFind"/> measures the offsets of fields whose names and types are as expected, and <see cref="Verify"/>
/// compares the values with those of the indexer before the layout is used (docs/adr/0006).</para>
/// <para>Not generic: code that is shared between closed types would resolve each type at run time.</para>
/// </remarks>
internal sealed class StateLayout : StateValues
{
    private const BindingFlags Declared = BindingFlags.Instance | BindingFlags.NonPublic | BindingFlags.Public | BindingFlags.DeclaredOnly;

    private delegate void Measure<TState>(ref TState state, int[] offsets);

    // More than the text of any value that WriteFast writes.
    private const int PlainRoom = 64;
    private const int NotPlain = PlainType.NotPlain;
    private const byte Quote = (byte)'"';
    private const int NoArray = -1;
    private readonly StateField[] _fields;
    private readonly int _ownerOffset;
    private readonly int _arrayOffset = NoArray;
    private readonly StateLayout? _text;

    // Identifies the template, if no object in the state does.
    private readonly object? _owner;

    // A state of LoggerMessage.Define: a field for each value.
    private StateLayout(StateField[] fields, int ownerOffset)
    {
        _fields = fields;
        _ownerOffset = ownerOffset;
        HasBoxed = Array.Exists(fields, static field => field.IsBoxed);
    }

    // A template call: one array of arguments.
    private StateLayout(int arrayOffset, int textOffset)
    {
        _fields = [];
        _arrayOffset = arrayOffset;
        _ownerOffset = textOffset;
        _text = new StateLayout([new StateField(typeof(string), textOffset)], MessageTemplate.OfText);
    }

    // A state whose type has one template.
    private StateLayout(StateField[] fields, MessageTemplate template)
    {
        _fields = fields;
        _owner = this;
        Template = template;
    }

    /// <summary>True if a value is available only in a box, from the state's indexer.</summary>
    public bool HasBoxed { get; }

    /// <summary>True if the arguments lie in an array; then the owner is the template's text.</summary>
    public bool IsTemplateCall => _arrayOffset >= 0;

    /// <summary>The template of each state of the type; null: a state has its own.</summary>
    public MessageTemplate? Template { get; }

    /// <summary>True if the only value is the text of a template call without arguments.</summary>
    public bool IsText => ReferenceEquals(Template, MessageTemplate.OfText);

    /// <summary>The layout of a state: a template call without arguments has its text as the only value.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public StateLayout For(ref byte state) => IsTemplateCall && GetArray(ref state) is null or { Length: 0 } ? _text! : this;

    /// <summary>Measures the layout; null if a field is not as expected, or code cannot be generated at run time.</summary>
    public static StateLayout? TryFind<TState>(ref TState state)
    {
        if (!RuntimeFeature.IsDynamicCodeSupported)
            return null;
        try
        {
            return MelStates.IsTemplateCall(typeof(TState)) ? FindArray(ref state) : FindFields(ref state);
        }
        catch (Exception exception) when (exception is NotSupportedException or InvalidProgramException or MemberAccessException)
        {
            // The runtime rejected the method. The indexer reads the same values, boxed: DefineDifferentialTests reads both ways.
            return null;
        }
    }

    /// <summary>Measures the layout of a state that the source generator made; null if a field is not as expected.</summary>
    /// <param name="template">The template, which all states of the type have.</param>
    public static StateLayout? TryFindGenerated<TState>(ref TState state, MessageTemplate template)
    {
        if (!RuntimeFeature.IsDynamicCodeSupported)
            return null;
        try
        {
            return FindGenerated(ref state, template);
        }
        catch (Exception exception) when (exception is NotSupportedException or InvalidProgramException or MemberAccessException)
        {
            // As above: the indexer reads the same values.
            return null;
        }
    }

    /// <summary>The number of values.</summary>
    public int GetCount(ref byte state) => IsTemplateCall ? GetArray(ref state)?.Length ?? 0 : _fields.Length;

    /// <summary>Returns true if the state has as many values as its template: a template call may have more or fewer.</summary>
    public bool HasArguments(ref byte state, int count) => !IsTemplateCall || GetArray(ref state)?.Length == count;

    /// <summary>Returns true if a value is available only in a box, from the state's indexer.</summary>
    public bool IsBoxed(int index) => _fields[index].IsBoxed;

    /// <summary>The object that identifies the state's template: the formatter of MEL, or the text itself; the layout itself for a text without arguments, which
    /// may be built for each call, and for a type of state with one template.</summary>
    public object? GetOwner(ref byte state) => _owner ?? Unsafe.As<byte, object?>(ref Unsafe.Add(ref state, _ownerOffset));

    /// <summary>Returns true if the layout reads the values that the state's own indexer returned.</summary>
    public bool Verify(ref byte state, ReadOnlySpan<LogProperty> expected)
    {
        if (GetCount(ref state) != expected.Length)
            return false;
        for (var i = 0; i < expected.Length; i++)
        {
            LogValue read = default;
            Read(ref state, i, ref read);
            if ((IsTemplateCall || !_fields[i].IsBoxed) && !IsSame(read, expected[i].Value))
                return false;
        }
        return true;
    }

    public override int WriteFast(ref byte state, FastPathPart[] parts, int next, Span<byte> output, out int written)
    {
        Debug.Assert(!Array.Exists(parts, static part => part.Place != 0), "Only a whole record has texts that are copied.");
        var none = default(NoTextPlaces);
        return Write(ref state, parts, next, output, out written, ref none);
    }

    [SkipLocalsInit]
    public override bool TryWriteCopying(ref byte state, FastPathPart[] parts, Span<byte> output, out int written)
    {
        // Each place is noted before it is read.
        Unsafe.SkipInit(out TextPlaces places);
        return Write(ref state, parts, 0, output, out written, ref places) == parts.Length;
    }

    [SkipLocalsInit]
    public override bool TryWriteInserting(ref byte state, FastPathPart[] parts, IInserts inserts, Span<byte> output, out int written)
    {
        var places = new InsertedPlaces(inserts);
        return Write(ref state, parts, 0, output, out written, ref places) == parts.Length;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private int Write<T>(ref byte state, FastPathPart[] parts, int next, Span<byte> output, out int written, scoped ref T places)
        where T : struct, ITextPlaces
    {
        var arguments = IsTemplateCall ? GetArray(ref state) : null;
        // A local: in the writer, each part would wait for the store of the one before.
        var used = 0;
        for (; next < parts.Length && output.Length - used >= Utf8Literal.Block + PlainRoom; next++)
        {
            ref readonly var part = ref parts[next];
            if (part.Kind == FastPathKind.Other)
                break;
            var end = used + part.Literal.Length;
            if (part.Literal.Length <= Utf8Literal.Block)
                part.Literal.CopyBlockTo(output[used..]);
            else if (end <= output.Length - PlainRoom)
                part.Literal.Span.CopyTo(output[used..]);
            else
                break;
            if (part.Kind != FastPathKind.None)
            {
                var length = T.HasInserts && part.Kind == FastPathKind.Insert ? places.Insert(part.Offset, output[end..])
                    : T.AreCopied && part.Kind >= FastPathKind.Again ? TryCopy(arguments, in part, places.Find(part.Place), output, end)
                    : arguments is null ? TryWrite(ref Unsafe.Add(ref state, part.Offset), output[end..], in part)
                    : TryWrite(arguments[part.Offset], output[end..], in part);
                if (length < 0)
                    break;
                if (T.AreCopied)
                    places.Note(part.Place, new TextPlace(end, length));
                end += length;
            }
            used = end;
        }
        written = used;
        return next;
    }

    public override void Read(ref byte state, int index, ref LogValue target)
    {
        if (IsTemplateCall)
            target = LogValue.FromObject(GetArray(ref state)![index]);
        else
            _fields[index].Read(ref state, ref target);
    }

    public override void ReadAll(ref byte state, string[] names, PropertyList target)
    {
        var values = target.Take(names.Length);
        for (var i = 0; i < names.Length && i < values.Length; i++)
        {
            // The target is null: only the members that differ are written.
            ref var property = ref values[i];
            Unsafe.AsRef(in property.NameRef) = names[i];
            Read(ref state, i, ref Unsafe.AsRef(in property.ValueRef));
        }
    }

    [RequiresDynamicCode("Makes a method that measures.")]
    [UnconditionalSuppressMessage("Trimming", "IL2090", Justification = "Where fields were trimmed away there is no layout.")]
    private static StateLayout? FindFields<TState>(ref TState state)
    {
        var types = typeof(TState).GetGenericArguments();
        var owner = typeof(TState).GetField("_formatter", Declared);
        if (owner is null || owner.FieldType.IsValueType || typeof(TState).GetFields(Declared).Length != types.Length + 1)
            return null;
        var values = new FieldInfo[types.Length];
        for (var i = 0; i < types.Length; i++)
        {
            if (typeof(TState).GetField($"_value{i}", Declared) is not { } field || field.FieldType != types[i])
                return null;
            values[i] = field;
        }
        var offsets = new int[(2 * types.Length) + 1];
        Make<TState>(owner, values)(ref state, offsets);
        var fields = new StateField[types.Length];
        for (var i = 0; i < types.Length; i++)
        {
            fields[i] = Nullable.GetUnderlyingType(types[i]) is { } inner
                ? new StateField(inner, offsets[(2 * i) + 1], offsets[2 * i])
                : new StateField(types[i], offsets[2 * i]);
        }
        return new StateLayout(fields, offsets[^1]);
    }

    [RequiresDynamicCode("Makes a method that measures.")]
    [UnconditionalSuppressMessage("Trimming", "IL2090", Justification = "Where fields were trimmed away there is no layout.")]
    private static StateLayout? FindGenerated<TState>(ref TState state, MessageTemplate template)
    {
        var all = typeof(TState).GetFields(Declared);
        // A field has the name of the parameter, which may differ in case from that in the template.
        var values = Array.ConvertAll(template.Names, name => Array.Find(all, field => string.Equals(field.Name, "_" + name, StringComparison.OrdinalIgnoreCase)));
        // Of nullable values and collections the generated text is another one.
        if (values.Length != all.Length || values.Distinct().Count() != all.Length
            || !Array.TrueForAll(values, static field => field is not null && (field.FieldType == typeof(string) || field.FieldType.IsEnum || KnownType.Find(field.FieldType) is not null)))
            return null;
        var offsets = new int[(2 * values.Length) + 1];
        Make<TState>(all[0], values!)(ref state, offsets);
        return new StateLayout([.. values.Select((field, i) => new StateField(field!.FieldType, offsets[2 * i]))], template.WithoutNull());
    }

    [RequiresDynamicCode("Makes a method that measures.")]
    [UnconditionalSuppressMessage("Trimming", "IL2090", Justification = "Where fields were trimmed away there is no layout.")]
    private static StateLayout? FindArray<TState>(ref TState state)
    {
        var array = typeof(TState).GetField("_values", Declared);
        var text = typeof(TState).GetField("_originalMessage", Declared);
        if (array?.FieldType != typeof(object[]) || text?.FieldType != typeof(string))
            return null;
        var offsets = new int[3];
        Make<TState>(text, [array])(ref state, offsets);
        return new StateLayout(offsets[0], offsets[^1]);
    }

    // Generates a method that stores the distance of each field's address from that of the state; for a nullable field those of its flag and its value.
    [UnconditionalSuppressMessage("Trimming", "IL2075", Justification = "The fields of Nullable<T> are always there.")]
    [RequiresDynamicCode("Makes a method that measures.")]
    private static Measure<TState> Make<TState>(FieldInfo owner, FieldInfo[] values)
    {
        var method = new DynamicMethod(
            "Measure", typeof(void), [typeof(TState).MakeByRefType(), typeof(int[])], typeof(StateLayout).Module, skipVisibility: true);
        var il = method.GetILGenerator();
        for (var i = 0; i < values.Length; i++)
        {
            if (Nullable.GetUnderlyingType(values[i].FieldType) is null)
            {
                EmitDistance(il, 2 * i, values[i], null);
                continue;
            }
            EmitDistance(il, 2 * i, values[i], values[i].FieldType.GetField("hasValue", Declared)!);
            EmitDistance(il, (2 * i) + 1, values[i], values[i].FieldType.GetField("value", Declared)!);
        }
        EmitDistance(il, 2 * values.Length, owner, null);
        il.Emit(OpCodes.Ret);
        return method.CreateDelegate<Measure<TState>>();
    }

    private static void EmitDistance(ILGenerator il, int index, FieldInfo field, FieldInfo? inner)
    {
        il.Emit(OpCodes.Ldarg_1);
        il.Emit(OpCodes.Ldc_I4, index);
        il.Emit(OpCodes.Ldarg_0);
        il.Emit(OpCodes.Ldflda, field);
        if (inner is not null)
            il.Emit(OpCodes.Ldflda, inner);
        il.Emit(OpCodes.Ldarg_0);
        il.Emit(OpCodes.Sub);
        il.Emit(OpCodes.Conv_I4);
        il.Emit(OpCodes.Stelem_I4);
    }

    private object?[]? GetArray(ref byte state) => Unsafe.As<byte, object?[]?>(ref Unsafe.Add(ref state, _arrayOffset));

    /// <summary>Returns what writes the values of a type without user code, or null.</summary>
    public static PlainType? PlainTypeOf(Type type) => type == typeof(string[]) ? StringArrayType.Instance : type.IsEnum ? EnumNames.Of(type) : KnownType.Find(type);

    private static bool IsSame(in LogValue read, in LogValue expected)
        => read.Kind == expected.Kind
            && (read.Kind == LogValueKind.Object ? ReferenceEquals(read.Object, expected.Object) : Equals(read.ToObject(), expected.ToObject()));

    public override FastPathPart[] Compile(MessageTemplate template)
    {
        MessagePart[] parts = [.. template.Parts];
        for (var i = 0; i < parts.Length - 1; i++)
        {
            if (parts[i] is not { Style: ValueStyle.Json, Argument: >= 0 } || FormOf(parts[i]) != ElementForm.Quoted)
                continue;
            // Every value has quotes: they are parts of the literals around it.
            parts[i] = parts[i].WithLiteral([.. parts[i].Literal.Span, Quote]).WithStyle(ValueStyle.JsonString);
            parts[i + 1] = parts[i + 1].WithLiteral([Quote, .. parts[i + 1].Literal.Span]);
        }

        var compiled = Array.ConvertAll(parts, Compile);
        var places = 0;
        for (var i = 0; i < parts.Length && places < TextPlaces.Most; i++)
        {
            var (argument, part) = (parts[i].Argument, compiled[i]);
            var first = argument < 0 ? i : Array.FindIndex(parts, 0, i, earlier => earlier.Argument == argument);
            if (first < 0 || first == i || !HasSameText(parts[i], part, compiled[first]))
                continue;
            compiled[first] = compiled[first].NotedAt(++places);
            compiled[i] = part.CopiedFrom(places);
        }

        return compiled;
    }

    // True if the text in the message is the text of the element of JSON, for each value that is written in place.
    private bool HasSameText(in MessagePart element, in FastPathPart part, in FastPathPart message)
        => message.Kind == part.Kind && part.Kind != FastPathKind.Other && (part.Kind == FastPathKind.String || message.Digits == FastPathPart.NoFormat)
            && (IsTemplateCall || element.Style == ValueStyle.JsonString || FormOf(element) == ElementForm.Same);

    private ElementForm FormOf(in MessagePart part) => IsTemplateCall || part.Argument < 0 ? ElementForm.Other : _fields[part.Argument].Form;

    private FastPathPart Compile(MessagePart part)
    {
        var (kind, offset, type) = part switch
        {
            { IsSimple: false } => (FastPathKind.Other, 0, null),
            { Insert: >= 0 } => (FastPathKind.Insert, part.Insert, null),
            { Argument: < 0 } => (FastPathKind.None, 0, null),
            _ when IsTemplateCall => (FastPathKind.Boxed, part.Argument, null),
            _ => _fields[part.Argument].KindIn(part),
        };
        return new FastPathPart(in part.Literal, kind, part.Style, offset, part.Format is null ? FastPathPart.NoFormat : part.FixedDigits, type);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static int TryCopy(object?[]? arguments, in FastPathPart part, TextPlace text, Span<byte> output, int at)
        => part.Kind == FastPathKind.Again ? text.TryCopy(output, at) : TryCopy(arguments![part.Offset], in part, text, output, at);

    // Of a value in a box only a text that is known to be the same in both.
    private static int TryCopy(object? argument, in FastPathPart part, TextPlace text, Span<byte> output, int at)
    {
        if (argument is int or long or double)
            return text.TryCopy(output, at);
        if (argument is not string)
            return TryWrite(argument, output[at..], in part);
        var length = text.TryCopy(output, at + 1);
        if (length < 0)
            return NotPlain;
        output[at] = output[at + length + 1] = Quote;
        return length + 2;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static int TryWrite(ref byte value, Span<byte> room, in FastPathPart part) => part.Kind switch
    {
        FastPathKind.String => PlainType.TryWrite(Unsafe.As<byte, string?>(ref value), part.Style, room),
        FastPathKind.Int32 => Digits.Write(Unsafe.ReadUnaligned<int>(ref value), room),
        FastPathKind.Int64 => Digits.Write(Unsafe.ReadUnaligned<long>(ref value), room),
        FastPathKind.Fixed => TryWriteFixed(Unsafe.ReadUnaligned<double>(ref value), part.Digits, room),
        FastPathKind.Plain => part.Type!.TryWrite(ref value, part.Style, room),
        _ => NotPlain,
    };

    private static int TryWrite(object? argument, Span<byte> room, in FastPathPart part) => argument switch
    {
        string text => PlainType.TryWrite(text, part.Style, room),
        int number when part.Digits == FastPathPart.NoFormat => Digits.Write(number, room),
        long number when part.Digits == FastPathPart.NoFormat => Digits.Write(number, room),
        double number when part.Digits >= 0 => TryWriteFixed(number, part.Digits, room),
        string?[] texts when part.Digits == FastPathPart.NoFormat => StringArrayType.TryWrite(texts, part.Style, room),
        { } other when part.Digits == FastPathPart.NoFormat && other.GetType() is { IsValueType: true } type && PlainTypeOf(type) is { } plain
            => plain.TryWrite(ref LogValue.BytesOf(other), part.Style, room),
        _ => NotPlain,
    };

    private static int TryWriteFixed(double value, int digits, Span<byte> room) => FixedPoint.TryFormat(value, digits, room, out var written) ? written : NotPlain;

    /// <summary>Offset and type of one value in a state.</summary>
    private readonly struct StateField
    {
        private const int Absent = -1;
        private readonly FieldForm _form;
        private readonly LogValueKind _kind;
        private readonly int _size;
        private readonly int _offset;
        private readonly int _flagOffset;
        private readonly EnumNames? _names;
        private readonly PlainType? _plain;

        /// <param name="type">The field's type; of a nullable one the type inside.</param>
        /// <param name="flagOffset">The offset of the flag of a nullable field; negative: the field is not nullable.</param>
        public StateField(Type type, int offset, int flagOffset = Absent)
        {
            _offset = offset;
            _flagOffset = flagOffset;
            if (type == typeof(string))
                (_form, _kind) = (FieldForm.String, LogValueKind.String);
            else if (!type.IsValueType)
                _form = FieldForm.Reference;
            else if (KnownType.Find(type) is { } known)
                (_form, _kind, _size) = (known.Size switch { 4 => FieldForm.Four, 8 => FieldForm.Eight, _ => FieldForm.Raw }, known.Kind, known.Size);
            else if (type.IsEnum)
                (_form, _names) = (FieldForm.Enum, EnumNames.Of(type));
            _plain = PlainTypeOf(type);
            if (_plain is not null && IsNullable)
                _plain = new NullableType(_plain, offset - flagOffset);
        }

        /// <summary>True if the value is available only in a box, from the state's indexer.</summary>
        public bool IsBoxed => _form == FieldForm.Boxed;

        /// <summary>The element of JSON of each value that is written in a string of JSON, too.</summary>
        public ElementForm Form => _form == FieldForm.String ? ElementForm.Quoted : _plain?.Form ?? ElementForm.Other;

        private bool IsNullable => _flagOffset >= 0;

        /// <summary>Reads the value of the state that begins at <paramref name="state"/> into a target that is null.</summary>
        public void Read(ref byte state, ref LogValue value)
        {
            ref var source = ref Unsafe.Add(ref state, _offset);
            if (IsNullable && Unsafe.Add(ref state, _flagOffset) == 0)
                return;
            switch (_form)
            {
                case FieldForm.Four:
                    LogValue.Write(ref value, _kind, Unsafe.ReadUnaligned<uint>(ref source));
                    break;
                case FieldForm.Eight:
                    LogValue.Write(ref value, _kind, Unsafe.ReadUnaligned<ulong>(ref source));
                    break;
                case FieldForm.String:
                    LogValue.Write(ref value, Unsafe.As<byte, string?>(ref source));
                    break;
                case FieldForm.Raw:
                    value = LogValue.FromRaw(_kind, ref source, _size);
                    break;
                case FieldForm.Enum:
                    value = LogValue.FromEnum(_names!, ref source);
                    break;
                case FieldForm.Reference:
                    value = LogValue.FromObject(Unsafe.As<byte, object>(ref source));
                    break;
            }
        }

        /// <summary>How the value is written after a literal, its offset and its type.</summary>
        public (FastPathKind Kind, int Offset, PlainType? Type) KindIn(in MessagePart part) => _kind switch
        {
            LogValueKind.String => (FastPathKind.String, _offset, null),
            LogValueKind.Int32 when part.Format is null && !IsNullable => (FastPathKind.Int32, _offset, null),
            LogValueKind.Int64 when part.Format is null && !IsNullable => (FastPathKind.Int64, _offset, null),
            LogValueKind.Double when part.FixedDigits >= 0 && !IsNullable => (FastPathKind.Fixed, _offset, null),
            _ when part.Format is null && _plain is not null => (FastPathKind.Plain, IsNullable ? _flagOffset : _offset, _plain),
            _ => (FastPathKind.Other, 0, null),
        };

        private enum FieldForm : byte
        {
            Boxed,
            Four,
            Eight,
            Raw,
            String,
            Enum,
            Reference,
        }
    }
}
