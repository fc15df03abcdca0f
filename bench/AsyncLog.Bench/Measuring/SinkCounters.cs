using System.Globalization;

namespace AsyncLog.Bench;

/// <summary>What an instance of AsyncLog counted: every record offered is written or dropped.</summary>
/// <param name="Offered">Calls that passed its levels.</param>
/// <param name="Written">Records written.</param>
/// <param name="Dropped">Records lost, for any reason.</param>
internal readonly record struct SinkCounters(long Offered, long Written, long Dropped)
{
    public static SinkCounters Of(SinkStatus status) => new(status.Offered, status.Written, status.Dropped);

    /// <summary>Reads the counters of an instance from the figures of an application.</summary>
    /// <exception cref="KeyNotFoundException">It has no such instance.</exception>
    public static SinkCounters Read(IReadOnlyDictionary<string, double> figures, string instance)
        => new((long)figures[KeyOf(instance, nameof(Offered))], (long)figures[KeyOf(instance, nameof(Written))], (long)figures[KeyOf(instance, nameof(Dropped))]);

    /// <summary>The counters as figures of an application.</summary>
    public IEnumerable<KeyValuePair<string, double>> Figures(string instance) =>
        [new(KeyOf(instance, nameof(Offered)), Offered), new(KeyOf(instance, nameof(Written)), Written), new(KeyOf(instance, nameof(Dropped)), Dropped)];

    /// <summary>Throws unless they agree exactly with what was logged and with what arrived.</summary>
    /// <param name="instance">The name of the instance.</param>
    /// <param name="logged">Records logged.</param>
    /// <param name="lines">Lines found.</param>
    /// <exception cref="InvalidOperationException">They do not.</exception>
    public void Verify(string instance, long logged, long lines)
    {
        if (Offered != logged || Offered != Written + Dropped || Written != lines)
        {
            throw new InvalidOperationException(string.Create(
                CultureInfo.InvariantCulture, $"{instance}: {logged} records logged, {Offered} offered, {Written} written, {Dropped} dropped, {lines} lines found"));
        }
    }

    private static string KeyOf(string instance, string count) => instance + ":" + count;
}
