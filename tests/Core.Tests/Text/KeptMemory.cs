using System.Collections;
using System.Reflection;

namespace AsyncLog.Tests.Text;

/// <summary>Looks at the memory that an object keeps, by whatever fields.</summary>
internal static class KeptMemory
{
    /// <summary>The number of elements or characters of the largest array or text that an object of AsyncLog keeps, also through other objects of AsyncLog and
    /// collections.</summary>
    public static int Largest(object owner)
    {
        var largest = 0;
        var seen = new HashSet<object>(ReferenceEqualityComparer.Instance);
        var open = new Stack<object>([owner]);
        while (open.TryPop(out var found))
        {
            if (!seen.Add(found))
                continue;
            if (found is string text)
                largest = Math.Max(largest, text.Length);
            else if (found is Array array)
                largest = Math.Max(largest, array.Length);
            foreach (var next in HeldBy(found))
                open.Push(next);
        }

        return largest;
    }

    private static IEnumerable<object> HeldBy(object found)
    {
        var type = found.GetType();
        if (found is Array array)
            return type.GetElementType()!.IsPrimitive ? [] : array.Cast<object?>().OfType<object>();
        if (type.Assembly != typeof(LogEvent).Assembly && found is not ICollection && !type.IsValueType)
            return [];
        return Fields(type).Select(field => field.GetValue(found)).OfType<object>();
    }

    // Neither pointers nor the fields of primitive types.
    private static IEnumerable<FieldInfo> Fields(Type? type)
    {
        for (; type is not null && !type.IsPrimitive; type = type.BaseType)
        {
            foreach (var field in type.GetFields(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly))
            {
                if (!field.FieldType.IsPointer && !field.FieldType.IsByRefLike)
                    yield return field;
            }
        }
    }
}
