using AsyncLog.Tests.Reload;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Capture;

/// <summary>Placeholders for values that throw, counted by several instances.</summary>
public sealed class RenderErrorCountTests
{
    // The expected counts are those of an instance that is alone: one placeholder in the text, two in JSON (message and State).
    [Theory]
    [InlineData("Text", "Text", 1, 1)]
    [InlineData("Json", "Text", 2, 1)]
    [InlineData("Text", "Json", 1, 2)]
    [InlineData("Json", "Clef", 2, 2)]
    public async Task Each_instance_counts_the_placeholders_of_its_own_records(string first, string second, int firstErrors, int secondErrors)
    {
        using var pipeline = new ReloadPipeline(
            ("Template", null), ("Files:a:Destination", "a1"), ("Files:a:Format", first), ("Files:b:Destination", "b1"), ("Files:b:Format", second));

        pipeline.Logger.LogInformation("value {Value}", new ThrowingValue());

        Assert.True(await pipeline.Flush());
        Assert.Equal((firstErrors, secondErrors), (pipeline.StatusOf("a").RenderErrors, pipeline.StatusOf("b").RenderErrors));
    }

    [Theory]
    [InlineData("Json")]
    [InlineData("Clef")]
    public async Task A_scope_that_throws_counts_for_each_instance_that_writes_it(string format)
    {
        using var pipeline = new ReloadPipeline(
            ("Template", null), ("Files:a:Destination", "a1"), ("Files:a:Format", format), ("Files:b:Destination", "b1"), ("Files:b:Format", "Json"), ("Files:b:UseUtcTimestamp", "true"));
        using (pipeline.Logger.BeginScope(new ThrowingValue()))
            pipeline.Logger.LogInformation("plain");

        Assert.True(await pipeline.Flush());
        Assert.Equal((1, 1), (pipeline.StatusOf("a").RenderErrors, pipeline.StatusOf("b").RenderErrors));
    }

    private sealed class ThrowingValue
    {
        public override string ToString() => throw new InvalidOperationException("on purpose");
    }
}
