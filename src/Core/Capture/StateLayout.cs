using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;

namespace AsyncLog;

/// <summary>Where the values of a state of <c>LoggerMessage.Define</c> lie, so that they can be read without boxes.</summary>
/// <remarks>The state is MEL's private struct. Offsets are measured, not assumed, and nothing is read through them before they gave the
/// same values as the state's own indexer.</remarks>
internal sealed class StateLayout<TState>
    where TState : IReadOnlyList<KeyValuePair<string, object?>>
{
    private readonly StateField[] _fields;

    private StateLayout(StateField[] fields) => _fields = fields;

    private delegate void Measure(ref TState state, int[] offsets);

    /// <summary>The layout, or null when it is not what is expected, or code cannot be made at run time.</summary>
    /// <param name="state">A state of the type.</param>
    /// <param name="proven">The values of this state as its indexer gave them.</param>
    public static StateLayout<TState>? Prove(ref TState state, ReadOnlySpan<LogProperty> proven)
    {
        if (!RuntimeFeature.IsDynamicCodeSupported || Find(ref state) is not { } fields || fields.Length != proven.Length)
            return null;
        for (var i = 0; i < fields.Length; i++)
        {
            if (!fields[i].IsBoxed && !IsSame(fields[i].Read(ref Unsafe.As<TState, byte>(ref state)), proven[i].Value))
                return null;
        }
        return new StateLayout<TState>(fields);
    }

    /// <summary>Reads a state; null, and nothing read, where its template is not one this layout can be used with.</summary>
    public MessageTemplate? TryRead(ref TState state, LogEvent target)
    {
        var text = PairReader.ReadTemplate(ref state, _fields.Length);
        if (text is null || TemplateTable.Find(text) is not { } template || !(template.Proven ?? ProveNames(ref state, template)))
            return null;
        if (template.Names.Length != _fields.Length)
            return null;
        target.SetMessageTemplate(text);
        ref var bytes = ref Unsafe.As<TState, byte>(ref state);
        var fields = _fields;
        var names = template.Names;
        var properties = target.State;
        for (var i = 0; i < fields.Length; i++)
        {
            ref readonly var field = ref fields[i];
            if (field.IsBoxed)
                properties.Add(names[i], LogValue.FromObject(state[i].Value));
            else
                field.Read(ref bytes, ref properties.Add(names[i]));
        }

        return template;
    }

    private static bool ProveNames(ref TState state, MessageTemplate template)
    {
        var isProven = state.Count == template.Names.Length + 1;
        for (var i = 0; isProven && i < template.Names.Length; i++)
            isProven = state[i].Key == template.Names[i];
        template.Proven = isProven;
        return isProven;
    }

    private static bool IsSame(in LogValue read, in LogValue proven)
        => read.Kind == proven.Kind
            && (read.Kind == LogValueKind.Object ? ReferenceEquals(read.Object, proven.Object) : Equals(read.ToObject(), proven.ToObject()));

    [UnconditionalSuppressMessage("Trimming", "IL2090", Justification = "Where fields were trimmed away there is no layout.")]
    [UnconditionalSuppressMessage("Trimming", "IL2075", Justification = "Where fields were trimmed away there is no layout.")]
    [RequiresDynamicCode("Makes a method that measures.")]
    private static StateField[]? Find(ref TState state)
    {
        const BindingFlags Own = BindingFlags.Instance | BindingFlags.NonPublic | BindingFlags.Public | BindingFlags.DeclaredOnly;
        var types = typeof(TState).GetGenericArguments();
        if (typeof(TState).GetFields(Own).Length != types.Length + 1)
            return null;
        var values = new FieldInfo[types.Length];
        for (var i = 0; i < types.Length; i++)
        {
            if (typeof(TState).GetField($"_value{i}", Own) is not { } field || field.FieldType != types[i])
                return null;
            values[i] = field;
        }
        var offsets = new int[2 * types.Length];
        Make(values)(ref state, offsets);
        var fields = new StateField[types.Length];
        for (var i = 0; i < types.Length; i++)
        {
            fields[i] = Nullable.GetUnderlyingType(types[i]) is { } inner
                ? new StateField(inner, offsets[(2 * i) + 1], offsets[2 * i])
                : new StateField(types[i], offsets[2 * i]);
        }
        return fields;
    }

    // For each field: the distance of its address from the state's, and for a nullable one that of its flag and its value.
    [UnconditionalSuppressMessage("Trimming", "IL2075", Justification = "The fields of Nullable<T> are always there.")]
    [RequiresDynamicCode("Makes a method that measures.")]
    private static Measure Make(FieldInfo[] values)
    {
        const BindingFlags Inner = BindingFlags.Instance | BindingFlags.NonPublic;
        var method = new DynamicMethod(
            "Measure", typeof(void), [typeof(TState).MakeByRefType(), typeof(int[])], typeof(StateLayout<TState>).Module, skipVisibility: true);
        var il = method.GetILGenerator();
        for (var i = 0; i < values.Length; i++)
        {
            if (Nullable.GetUnderlyingType(values[i].FieldType) is null)
            {
                EmitDistance(il, 2 * i, values[i], null);
                continue;
            }
            EmitDistance(il, 2 * i, values[i], values[i].FieldType.GetField("hasValue", Inner)!);
            EmitDistance(il, (2 * i) + 1, values[i], values[i].FieldType.GetField("value", Inner)!);
        }
        il.Emit(OpCodes.Ret);
        return method.CreateDelegate<Measure>();
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
}
