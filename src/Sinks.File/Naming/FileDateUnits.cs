namespace AsyncLog;

/// <summary>What a date in a file name tells apart.</summary>
[Flags]
internal enum FileDateUnits
{
    None = 0,
    Year = 1,
    Month = 2,
    Week = 4,
    Day = 8,
    Hour = 16,
    Minute = 32,
    Second = 64,
}
