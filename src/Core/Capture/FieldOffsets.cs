using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;

namespace AsyncLog;

/// <summary>Asks the runtime where the fields of a struct lie, so that values can be read without a box.</summary>
/// <remarks>A few instructions compiled once per type compute the address of each field minus that of the struct: exact by construction, where a
/// struct that mirrors the layout would have to be believed.</remarks>
internal static class FieldOffsets
{
    private const int BitsPerOffset = 10;

    private delegate long Packed<TState>(ref TState state);

    /// <summary>The offsets of the fields; null when they cannot be had.</summary>
    /// <param name="fields">At most six.</param>
    [RequiresDynamicCode("Compiles a method.")]
    public static int[]? Of<TState>(FieldInfo[] fields)
    {
        if (fields.Length * BitsPerOffset > 63 || Unsafe.SizeOf<TState>() >= 1 << BitsPerOffset)
            return null;
        var method = new DynamicMethod("FieldOffsets", typeof(long), [typeof(TState).MakeByRefType()], typeof(FieldOffsets).Module, skipVisibility: true);
        var code = method.GetILGenerator();
        code.Emit(OpCodes.Ldc_I8, 0L);
        for (var i = 0; i < fields.Length; i++)
        {
            code.Emit(OpCodes.Ldarg_0);
            code.Emit(OpCodes.Ldflda, fields[i]);
            code.Emit(OpCodes.Ldarg_0);
            code.Emit(OpCodes.Sub);
            code.Emit(OpCodes.Conv_I8);
            code.Emit(OpCodes.Ldc_I4, i * BitsPerOffset);
            code.Emit(OpCodes.Shl);
            code.Emit(OpCodes.Or);
        }

        code.Emit(OpCodes.Ret);
        return Unpack(method.CreateDelegate<Packed<TState>>(), fields.Length);
    }

    private static int[] Unpack<TState>(Packed<TState> packed, int count)
    {
        var state = default(TState)!;
        var bits = packed(ref state);
        var offsets = new int[count];
        for (var i = 0; i < count; i++)
            offsets[i] = (int)((bits >> (i * BitsPerOffset)) & ((1 << BitsPerOffset) - 1));
        return offsets;
    }
}
