namespace AsyncLog;

/// <summary>Takes known values out of their box.</summary>
internal static class BoxedValues
{
    public static bool Read(object value, out LogValue result) => throw null!;
}
