using System.Diagnostics.Metrics;

namespace AsyncLog;

/// <summary>One instrument over the status of all instances, whatever the type of its values.</summary>
internal interface IStatusInstrument
{
    string Name { get; }

    /// <summary>Publishes it.</summary>
    /// <param name="meter">Where.</param>
    /// <param name="snapshot">All instances, asked whenever somebody reads it.</param>
    void Create(Meter meter, Func<IReadOnlyList<SinkStatus>> snapshot);
}
