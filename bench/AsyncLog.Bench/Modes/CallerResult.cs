namespace AsyncLog.Bench;

/// <summary>One library, one call style, one round.</summary>
internal sealed record CallerResult(string Library, string Style, int Round, int Calls, double Nanoseconds, double Bytes, long Lines);
