namespace AsyncLog;

/// <summary>What all instances of one provider share.</summary>
/// <param name="TimeProvider">The clock.</param>
/// <param name="Application">Names and folders.</param>
/// <param name="SelfReport">The logger's own voice.</param>
/// <param name="Categories">Numbers of category names.</param>
/// <param name="Publisher">Looks at the instances.</param>
internal sealed record InstanceServices(
    TimeProvider TimeProvider, ApplicationInfo Application, SelfReport SelfReport, CategoryTable Categories, HealthPublisher Publisher)
{
    /// <summary>The number of the category of AsyncLog's own records.</summary>
    public int OwnCategory { get; } = Categories.Add(NoticeRecord.Category);
}
