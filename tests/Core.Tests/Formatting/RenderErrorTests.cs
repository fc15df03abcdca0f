using AsyncLog.Tests.Capture;
using AsyncLog.Tests.Hosting;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Formatting;

/// <summary>The counter of render errors where one event is rendered in several layouts.</summary>
public sealed class RenderErrorTests
{
    [Theory]
    [InlineData("Text", "Json", "Json")]
    [InlineData("Json", "Text", "Clef")]
    [InlineData("Clef", "Json", "Text")]
    public async Task Each_instance_counts_the_errors_that_it_counts_alone(params string[] formats)
    {
        using var pipeline = new ReloadPipeline(
            ("Format", formats[0]), ("Template", null),
            ("Files:a:Destination", "1"), ("Files:a:Format", formats[1]),
            ("Files:b:Destination", "2"), ("Files:b:Format", formats[2]), ("Files:b:UseUtcTimestamp", "true"));
        using (pipeline.Logger.BeginScope(new BadValue()))
            pipeline.Logger.LogError(new BadException(), "{Bad} {Good}", new BadValue(), 7);
        Assert.True(await pipeline.Flush());
        string[] instances = ["default", "a", "b"];
        // Message and exception; JSON and CLEF have the property and the scope besides.
        Assert.Equal(
            formats.Select(static format => format == "Text" ? 2L : 4L),
            instances.Select(instance => pipeline.StatusOf(instance).RenderErrors));
    }

    private sealed class BadException : Exception
    {
        public override string ToString() => throw new InvalidOperationException("no text");
    }
}
