using AsyncLog.Tests.Faults;
using Microsoft.Extensions.Options;

namespace AsyncLog.Tests;

public sealed class DurabilityOptionsTests
{
    [Theory]
    [InlineData("Durability", "Disk", "expected Flush or FlushToDisk")]
    [InlineData("FlushToDiskInterval", "9ms", "must be at least 10ms")]
    [InlineData("FlushToDiskLevel", "Fatal", "did you mean 'Critical'?")]
    [InlineData("MinFreeSpace", "much", "expected a size such as 4096, 64KB or 1.5GB")]
    public void A_wrong_value_is_named_with_its_rule(string key, string value, string rule)
    {
        var problem = Assert.ThrowsAny<OptionsValidationException>(() => new RunningLogger(("Path", "/srv/logs/shop.log"), (key, value)));

        Assert.Contains($"Logging:AsyncFile:{key} '{value}' is not valid", problem.Message, StringComparison.Ordinal);
        Assert.Contains(rule, problem.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("Durability", "flushtodisk")]
    [InlineData("FlushToDiskInterval", "10ms")]
    [InlineData("FlushToDiskInterval", "")]
    [InlineData("FlushToDiskLevel", "Critical")]
    [InlineData("MinFreeSpace", "1GB")]
    public async Task A_right_value_is_accepted(string key, string value)
    {
        using var folder = new TempFolder();
        using var log = new RunningLogger(("Path", folder.File("shop.log")), (key, value));

        Assert.True(await log.Flush());
        Assert.Null(log.Status.ConfigurationProblem);
    }
}
