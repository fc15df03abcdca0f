using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;

namespace AsyncLog;

/// <summary>Measures where the fields of MEL's private structs lie. Nothing is assumed: what is not as expected has no layout.</summary>
internal static class StateLayoutFinder
{
    private const BindingFlags Own = BindingFlags.Instance | BindingFlags.NonPublic | BindingFlags.Public | BindingFlags.DeclaredOnly;

    private delegate void Measure<TState>(ref TState state, int[] offsets);

    /// <summary>The layout, or null where fields are not what is expected, or code cannot be made at run time.</summary>
    public static StateLayout? TryFind<TState>(ref TState state)
    {
        if (!RuntimeFeature.IsDynamicCodeSupported)
            return null;
        try
        {
            return MelStates.IsTemplateCall(typeof(TState)) ? FindArray(ref state) : Find(ref state);
        }
        catch (Exception exception) when (exception is NotSupportedException or InvalidProgramException or MemberAccessException)
        {
            // A runtime that refuses the method. The indexer reads the same values, with boxes: DefineDifferentialTests reads both ways.
            return null;
        }
    }

    [RequiresDynamicCode("Makes a method that measures.")]
    [UnconditionalSuppressMessage("Trimming", "IL2090", Justification = "Where fields were trimmed away there is no layout.")]
    private static StateLayout? Find<TState>(ref TState state)
    {
        var types = typeof(TState).GetGenericArguments();
        var owner = typeof(TState).GetField("_formatter", Own);
        if (owner is null || owner.FieldType.IsValueType || typeof(TState).GetFields(Own).Length != types.Length + 1)
            return null;
        var values = new FieldInfo[types.Length];
        for (var i = 0; i < types.Length; i++)
        {
            if (typeof(TState).GetField($"_value{i}", Own) is not { } field || field.FieldType != types[i])
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
    private static StateLayout? FindArray<TState>(ref TState state)
    {
        var array = typeof(TState).GetField("_values", Own);
        var text = typeof(TState).GetField("_originalMessage", Own);
        if (array?.FieldType != typeof(object[]) || text?.FieldType != typeof(string))
            return null;
        var offsets = new int[3];
        Make<TState>(text, [array])(ref state, offsets);
        return new StateLayout(offsets[0], offsets[^1]);
    }

    // For each field the distance of its address from the state's; for a nullable one those of its flag and its value.
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
            EmitDistance(il, 2 * i, values[i], values[i].FieldType.GetField("hasValue", Own)!);
            EmitDistance(il, (2 * i) + 1, values[i], values[i].FieldType.GetField("value", Own)!);
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
}
