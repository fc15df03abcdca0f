using System.Runtime.CompilerServices;

namespace AsyncLog;

/// <summary>The shapes seen so far. Bounded: a definition made anew for every call costs its own parsing, nothing grows.</summary>
internal static class StateShapes
{
    private const int Size = 4096;
    private const int Probes = 8;
    private static readonly StateShape?[] Table = new StateShape?[Size];

    public static StateShape? Find(object owner)
    {
        var start = RuntimeHelpers.GetHashCode(owner);
        for (var i = 0; i < Probes; i++)
        {
            var shape = Volatile.Read(ref Table[(start + i) & (Size - 1)]);
            if (shape is null)
                return null;
            if (ReferenceEquals(shape.Owner, owner))
                return shape;
        }

        return null;
    }

    public static StateShape Add(StateShape shape)
    {
        var start = RuntimeHelpers.GetHashCode(shape.Owner);
        var place = start & (Size - 1);
        for (var i = 0; i < Probes; i++)
        {
            if (Volatile.Read(ref Table[(start + i) & (Size - 1)]) is null)
            {
                place = (start + i) & (Size - 1);
                break;
            }
        }

        Volatile.Write(ref Table[place], shape);
        return shape;
    }
}
