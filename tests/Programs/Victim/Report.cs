using System.Text.Json;

namespace AsyncLog.Victim;

/// <summary>The status as one line of JSON.</summary>
internal static class Report
{
    public static string Of(AsyncLogStatus status) => "status " + JsonSerializer.Serialize(status.Instances.ToDictionary(
        static instance => instance.Name,
        static instance => new
        {
            State = instance.State.ToString(),
            instance.Reason,
            instance.Target,
            instance.Offered,
            instance.Enqueued,
            instance.Written,
            Waiting = instance.QueueSize + instance.InFlight + instance.Spooled,
            instance.Unaccounted,
            Dropped = instance.Drops.GroupBy(static drop => drop.Reason.ToString()).ToDictionary(static group => group.Key, static group => group.Sum(static drop => drop.Count)),
            instance.Errors,
        }));
}
