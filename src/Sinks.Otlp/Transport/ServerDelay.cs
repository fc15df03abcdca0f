using System.Net.Http.Headers;

namespace AsyncLog;

/// <summary>Reads the delay that a server requests before the next attempt. A malformed one counts as absent.</summary>
internal static class ServerDelay
{
    /// <summary>The shortest delay before another attempt.</summary>
    public static readonly TimeSpan Shortest = TimeSpan.FromMilliseconds(100);

    /// <summary>The longest delay that a server can request; a longer one counts as this.</summary>
    public static readonly TimeSpan Longest = TimeSpan.FromMinutes(10);

    private const int DetailsField = 3;
    private const int TypeUrlField = 1;
    private const int ValueField = 2;
    private const int DelayField = 1;
    private const int SecondsField = 1;
    private const int NanosField = 2;

    /// <summary>Reads <c>Retry-After</c>: seconds or a date (RFC 9110 §10.2.3).</summary>
    /// <returns>Null: absent or malformed.</returns>
    public static TimeSpan? FromRetryAfter(string? value, DateTimeOffset now)
    {
        value = value?.Trim();
        if (string.IsNullOrEmpty(value))
            return null;
        if (value.AsSpan().ContainsAnyExceptInRange('0', '9'))
            return RetryConditionHeaderValue.TryParse(value, out var parsed) && parsed.Date is { } date && date > now ? Clamp((date - now).TotalSeconds) : null;
        // More digits than a ulong holds are still a long delay.
        return Clamp(ulong.TryParse(value, out ulong seconds) ? seconds : double.MaxValue);
    }

    /// <summary>Reads the <c>google.rpc.RetryInfo</c> of a <c>google.rpc.Status</c>.</summary>
    /// <returns>Null: absent or malformed.</returns>
    public static TimeSpan? FromStatusDetails(ReadOnlySpan<byte> status)
    {
        TimeSpan? delay = null;
        var reader = new ProtoReader(status);
        while (reader.Read())
        {
            if (reader.Field == DetailsField && FromAny(reader.Content) is { } found)
                delay = found;
        }

        return reader.IsBroken ? null : delay;
    }

    private static TimeSpan? FromAny(ReadOnlySpan<byte> any)
    {
        bool isRetryInfo = false;
        ReadOnlySpan<byte> value = default;
        var reader = new ProtoReader(any);
        while (reader.Read())
        {
            if (reader.Field == TypeUrlField)
                isRetryInfo = reader.Content.EndsWith("/google.rpc.RetryInfo"u8);
            else if (reader.Field == ValueField)
                value = reader.Content;
        }

        return isRetryInfo && !reader.IsBroken ? FromRetryInfo(value) : null;
    }

    private static TimeSpan? FromRetryInfo(ReadOnlySpan<byte> info)
    {
        long seconds = 0;
        int nanos = 0;
        var reader = new ProtoReader(info);
        while (reader.Read())
        {
            if (reader.Field != DelayField)
                continue;
            var duration = new ProtoReader(reader.Content);
            while (duration.Read())
            {
                if (duration.Field == SecondsField)
                    seconds = unchecked((long)duration.Number);
                else if (duration.Field == NanosField)
                    nanos = unchecked((int)duration.Number);
            }

            if (duration.IsBroken)
                return null;
        }

        return reader.IsBroken || seconds < 0 || nanos < 0 ? null : Clamp(seconds + (nanos / 1e9));
    }

    private static TimeSpan Clamp(double seconds) => TimeSpan.FromSeconds(Math.Clamp(seconds, Shortest.TotalSeconds, Longest.TotalSeconds));
}
