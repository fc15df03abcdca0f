using System.Text;
using AsyncLog.Tests.Vectors;
using FsCheck.Fluent;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Formatting;

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
    public void Every_record_parses_keeps_its_limit_and_is_what_the_rules_give()
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

    [Theory]
    [InlineData(480)]
    [InlineData(2048)]
    [InlineData(60_000)]
    public void Many_names_that_become_equal_are_numbered_and_left_out_as_the_rules_say(int limit)
    {
        var random = new Random(17);
        using var harness = new SyslogHarness(options =>
        {
            VectorOptions.Set(options, null);
            options.MaxMessageSize = limit;
        });
        // Equal after cleaning, after the cut, or to a number that another name was given; some unchanged, and unique only if the others are numbered well.
        for (var round = 0; round < 20; round++)
        {
            var keys = Enumerable.Range(0, 120).Select(_ => random.Next(6) switch
            {
                0 => new string([(char)(0x430 + random.Next(32)), (char)(0x430 + random.Next(32))]),
                1 => $"__~{random.Next(30)}",
                2 => new string('n', 29 + random.Next(3)) + (char)('a' + random.Next(4)) + new string('é', 3 + random.Next(3)),
                3 => $"nnnnnnnnnnnnnnnnnnnnnnnnnnnnn~{random.Next(12)}",
                4 => "k" + random.Next(50),
                _ => new string('é', random.Next(3)),
            });
            KeyValuePair<string, object?>[] pairs = [.. keys.Select(key => KeyValuePair.Create(key, (object?)new string('v', random.Next(70))))];
            Check(new HostileCall { Message = "m", Category = "c", State = pairs[..80], Scopes = [pairs[80..]] }, harness);
        }
    }

    [Fact]
    public async Task The_cost_of_equal_names_in_scopes_grows_only_with_their_number()
    {
        const int Scopes = 100;
        const int PerScope = 128;
        using var harness = new SyslogHarness(static options => VectorOptions.Set(options, null));
        var scopes = Enumerable.Range(0, Scopes).Select(static scope => Enumerable.Range(scope * PerScope, PerScope).Select(static number => KeyValuePair.Create(
            new string([(char)(0x430 + (number % 32)), (char)(0x430 + (number / 32 % 32)), (char)(0x430 + (number / 1024))]), (object?)"v")).ToArray()).ToArray();
        // Compared name by name it would take the better part of an hour.
        await Task.Run(() => Log(new HostileCall { Message = "m", Scopes = scopes }, harness)).WaitAsync(TimeSpan.FromSeconds(30), TestContext.Current.CancellationToken);

        var record = Rfc5424Parser.Parse(Assert.Single(await harness.TakeAsync()));
        var kept = record.Data.Single(static element => element.Id == "prop@32473").Parameters.Select(static parameter => parameter.Name).ToArray();
        Assert.Equal([.. Enumerable.Range(1, kept.Length).Select(static number => number == 1 ? "___" : $"___~{number}")], kept);
        Assert.InRange(kept.Length, 100, 200);
        Assert.Equal((Scopes * PerScope) - kept.Length, harness.Status.PropertiesLeftOut);
    }

    [Fact]
    public void Parameters_beyond_the_room_are_not_rendered()
    {
        var rendered = 0;
        using var harness = new SyslogHarness(static options => options.MaxMessageSize = 2048);
        KeyValuePair<string, object?>[] state = [.. Enumerable.Range(0, 900).Select(number => KeyValuePair.Create($"k{number}", (object?)new Counted(() => rendered++)))];
        Log(new HostileCall { Message = "m", State = state }, harness);
        Assert.True(harness.Flush());
        // Two of 900 bytes, then as many of one byte as fit.
        Assert.InRange(rendered, 3, 100);
        Assert.Equal(1, harness.Status.Written);
    }

    private sealed class Counted(Func<int> count)
    {
        public override string ToString() => new('v', count() < 2 ? 900 : 1);
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
        Assert.True(message.Length <= harness.Options.MaxMessageSize);
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
