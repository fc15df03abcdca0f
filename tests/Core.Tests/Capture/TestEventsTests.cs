namespace AsyncLog.Tests.Capture;

public sealed class TestEventsTests
{
    [Fact]
    public void The_factory_builds_an_event_from_a_template_and_scopes()
    {
        var e = TestEvents.Create(new TestEvents.TestEvent
        {
            Template = "Item {Id,5} {Name} {When}",
            Args = [42, "x\uD83D\uDE00", TimeSpan.FromSeconds(5)],
            Scopes = ["plain", new Dictionary<string, object?> { ["a"] = 1 }],
        });
        Assert.Equal("Item    42 x\uD83D\uDE00 00:00:05", e.Text());
        Assert.Equal("Item {Id,5} {Name} {When}", e.MessageTemplate);
        Assert.Equal(["Id=42", "Name=x\uD83D\uDE00", "When=00:00:05"], e.Properties.ToArray().Select(p => CapturingLogger.Text(p)));
        Assert.Equal(2, e.ScopeCount);
        Assert.Equal("plain"u8.ToArray(), e.GetScope(0).Text.ToArray());
        Assert.Equal(["a=1"], e.GetScope(1).Properties.ToArray().Select(p => CapturingLogger.Text(p)));
    }
}
