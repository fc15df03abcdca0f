using System.Runtime.CompilerServices;
using AsyncLog.Tests.Delivery;
using AsyncLog.Tests.Events;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Capture;

/// <summary>A text without arguments that is built for each call, as an interpolated string is, and that may look like a template. The table of templates belongs to the process.</summary>
[Collection(nameof(TemplateTableTests))]
public sealed class BuiltMessageTests
{
    // Far more than the events that a state needs until its layout is known.
    private const int Times = 40;

    public static TheoryData<string, string?> Layouts => new()
    {
        { "Text", "{Level} {Message}{NewLine}" },
        { "Text", "{Scopes} {Message} {Properties}{NewLine}" },
        { "Json", null },
        { "Clef", null },
    };

    [Theory]
    [MemberData(nameof(Layouts))]
    public async Task Built_messages_and_scopes_are_not_kept(string format, string? template)
    {
        var sink = new TestSink();
        using var pipeline = New(sink, format, template);
        var texts = LogBuilt(pipeline.Logger, 200);
        Assert.True(await pipeline.Flush());
        Assert.Equal(Times + 200, sink.Records.Count);
        await Eventually.Holds(() =>
        {
            GC.Collect();
            return texts.Count(static text => text.IsAlive) == 0;
        });
    }

    [Theory]
    [MemberData(nameof(Layouts))]
    public async Task Built_messages_displace_no_template(string format, string? template)
    {
        using var pipeline = New(new TestSink(), format, template);
        var known = TemplateTable.Find("A template in use {A}");
        Assert.NotNull(known);
        LogBuilt(pipeline.Logger, 3000);
        Assert.True(await pipeline.Flush());
        pipeline.AssertConservation(Times + 3000);
        Assert.Same(known, TemplateTable.Find(new string("A template in use {A}")));
    }

    [Theory]
    [MemberData(nameof(Layouts))]
    public async Task A_built_message_is_written_as_it_is(string format, string? template)
    {
        var sink = new TestSink();
        using var pipeline = New(sink, format, template);
        LogBuilt(pipeline.Logger, 3);
        Assert.True(await pipeline.Flush());
        Assert.Equal(Times + 3, sink.Records.Count);
        for (var i = 0; i < 3; i++)
        {
            var message = $"Order {i} for a@b.c {{A}} {{\"Mail\":1}} {new string('x', 1000)}";
            if (format != "Text")
                message = message.Replace("\"", "\\\"", StringComparison.Ordinal);
            Assert.Contains(message, sink.Records[Times + i], StringComparison.Ordinal);
        }
    }

    // Not inlined: a local of the test would keep a text alive.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference[] LogBuilt(ILogger logger, int count)
    {
        for (var i = 0; i < Times; i++)
            logger.LogInformation("Order {Id}", i);
        var texts = new WeakReference[count * 2];
        for (var i = 0; i < count; i++)
        {
            var scope = $"Scope {i} of a@b.c {{A}}";
            var message = $"Order {i} for a@b.c {{A}} {{\"Mail\":1}} {new string('x', 1000)}";
            (texts[2 * i], texts[(2 * i) + 1]) = (new WeakReference(scope), new WeakReference(message));
            using (logger.BeginScope(scope))
                logger.LogInformation(message);
        }

        return texts;
    }

    private static TestPipeline New(TestSink sink, string format, string? template)
        => new(sink, options => (options.Format, options.Template, options.IncludeScopes) = (format, template, true));
}
