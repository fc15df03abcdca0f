using System.Text;
using FsCheck.Fluent;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests;

/// <summary>Whatever is logged: a strict parser takes the record, the limit is kept, and every byte is what the rules give.</summary>
public sealed class HostileCallTests
{
    public const string TraceId = "0af7651916cd43dd8448eb211c80319c";
    public const string SpanId = "b7ad6b7169203331";
    public const string Template = "T \"]\\\n😀";

    private const int OptionSets = 150;
    private const int CallsPerSet = 20;

    private long _cut;
    private long _shortened;

    [Fact]
    public void SY_28_SY_31_Every_record_parses_keeps_its_limit_and_is_what_the_rules_give()
    {
        Prop.ForAll(Arb.From(HostileCall.AllOptions), Arb.From(HostileCall.All.ArrayOf(CallsPerSet)), (configure, calls) =>
        {
            using var harness = new SyslogHarness(configure);
            foreach (var call in calls)
                Check(call, harness);
            _cut += harness.Status.PropertiesLeftOut;
            _shortened += harness.Status.Truncated;
        }).QuickCheckThrowOnFailureWith(OptionSets);

        Assert.True(_cut > OptionSets && _shortened > OptionSets, $"{_cut} parameters left out and {_shortened} records cut: too few to mean anything");
    }

    private static void Check(HostileCall call, SyslogHarness harness)
    {
        var before = harness.Status;
        Log(call, harness);
        var frame = Assert.Single(harness.TakeFramesAsync().GetAwaiter().GetResult());
        var reference = new ReferenceRecord(call, harness.Options);
        var expected = reference.Render();

        var message = harness.Options.Endpoint!.Scheme == "tcp" ? WithoutCount(frame) : frame;
        Assert.Equal(Encoding.UTF8.GetString(expected), Encoding.UTF8.GetString(message));
        Assert.Equal(expected, message);
        Assert.True(message.Length <= harness.Options.MaxMessageBytes);
        Rfc5424Parser.Parse(message);
        Assert.Equal(reference.Dropped, harness.Status.PropertiesLeftOut - before.PropertiesLeftOut);
        Assert.Equal(reference.IsTruncated ? 1 : 0, harness.Status.Truncated - before.Truncated);
    }

    internal static void Log(HostileCall call, SyslogHarness harness)
    {
        var logger = harness.Logger(call.Category);
        var activity = call.HasTrace ? VectorRecord.Start(TraceId, SpanId, 1) : null;
        var scopes = call.Scopes.Select(scope => logger.BeginScope(scope.ToList())).ToArray();
        var exception = call.Exception is { } given ? VectorException.Of("Shop.HostileException", given.Message, given.Text) : null;
        List<KeyValuePair<string, object?>> state = [.. call.State, KeyValuePair.Create("{OriginalFormat}", (object?)Template)];
        logger.Log(LogLevel.Information, new EventId(call.EventId, call.EventName), state, exception, (_, _) => call.Message);
        foreach (var scope in scopes.Reverse())
            scope!.Dispose();
        activity?.Stop();
    }

    private static byte[] WithoutCount(byte[] frame)
    {
        var space = Array.IndexOf(frame, (byte)' ');
        Assert.Equal(Encoding.ASCII.GetString(frame, 0, space), $"{frame.Length - space - 1}");
        return frame[(space + 1)..];
    }
}
