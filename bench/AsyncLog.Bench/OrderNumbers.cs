namespace AsyncLog.Bench;

/// <summary>The order number of the n-th record: six digits in all of them, so that all records have one length.</summary>
internal static class OrderNumbers
{
    private const int First = 100_000;
    private const int Count = 900_000;

    public static int At(long n) => First + (int)(n % Count);
}
