using System.Buffers;
using System.Text;
using AsyncLog.Tests.Delivery;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Events;

public sealed partial class CallSiteFormatterTests
{
    // Far more than the events that a state and a call need until they are known.
    private const int Times = 40;

    [Fact]
    public async Task The_formatter_of_a_call_writes_its_records_without_events()
    {
        var (records, formatter) = await Log(static logger => Named(logger, 3, "box"));
        // The first ones need events, until the state and the call are known.
        var first = records.TakeWhile(static record => record == "event: 3 of box").Count();
        Assert.InRange(first, 1, Times - 10);
        Assert.Equal(Enumerable.Repeat("call 7: 3 of box (box, 3)", Times - first), records.Skip(first));
        Assert.Equal(1, formatter.Created);
    }

    [Fact]
    public async Task A_record_for_which_the_formatter_of_the_call_wants_an_event_gets_one()
    {
        var (records, _) = await Log(static logger =>
        {
            Named(logger, 3, "box");
            Named(logger, 3, "event");
            Named(logger, 3, "too much");
            Named(logger, 3, "throw");
        });
        Assert.Equal(["call 7: 3 of box (box, 3)", "event: 3 of event", "event: 3 of too much", "event: 3 of throw"], records.TakeLast(4));
    }

    [Fact]
    public async Task Exceptions_and_objects_get_events()
    {
        var (records, _) = await Log(static logger =>
        {
            Named(logger, 3, "box");
            Failed(logger, new FormatException(), 3, "box");
            logger.LogInformation("{@Id} of {Name}", 3, "box");
        });
        Assert.Equal(["call 7: 3 of box (box, 3)", "event: 3 of box", "event: 3 of box"], records.TakeLast(3));
    }

    [Theory]
    [InlineData(2)]
    [InlineData(20)]
    [InlineData(300)]
    public async Task Calls_that_log_in_turn_get_a_formatter_each(int count)
    {
        var (records, formatter) = await Log(logger =>
        {
            for (var i = 0; i < 3 * count; i++)
                logger.LogInformation(1 + (i % count), "{Id} of {Name}", i, "box");
        });
        // Of hundreds a few find no place.
        Assert.InRange(formatter.Created, count - (count / 50), count);
        var last = Enumerable.Range(0, 3 * count).Zip(records.TakeLast(3 * count), (i, record) => (Number: i, Record: record)).ToArray();
        var own = last.Count(pair => pair.Record == $"call {1 + (pair.Number % count)}: {pair.Number} of box (box, {pair.Number})");
        Assert.InRange(own, 3 * (count - (count / 50)), 3 * count);
        Assert.Equal((3 * count) - own, last.Count(pair => pair.Record == $"event: {pair.Number} of box"));
    }

    [Fact]
    public async Task No_formatter_is_created_for_a_call_that_finds_no_room()
    {
        var next = 0;
        var (_, formatter) = await Log(logger =>
        {
            // 75 calls, 12 times each in a row.
            for (var i = 0; i < 75 * 12; i++)
                logger.LogInformation(1 + (next++ / 12), "{Id} of {Name}", i, "box");
        });
        Assert.Equal(3000 * 12, next);
        Assert.InRange(formatter.Created, 500, 1024);
    }

    [Fact]
    public async Task A_call_with_too_few_or_too_many_arguments_gets_no_formatter()
    {
        var (records, formatter) = await Log(static logger =>
        {
            logger.LogInformation("{Id} of {Name}", 3);
            logger.LogInformation("{Id} of {Name}", 3, "box", "more");
        });
        Assert.Equal(0, formatter.Created);
        string[] expected = ["event: 3 of <error: System.FormatException>", "event: 3 of box"];
        Assert.Equal(Enumerable.Repeat(expected, Times).SelectMany(static two => two), records);
    }

    [Fact]
    public async Task A_value_that_is_available_only_in_a_box_gets_an_event()
    {
        var log = LoggerMessage.Define<OrderId?, string>(LogLevel.Information, 9, "{Id} of {Name}");
        var (records, formatter) = await Log(logger =>
        {
            log(logger, null, "box", null);
            log(logger, new OrderId(3), "box", null);
        });
        Assert.Equal(0, formatter.Created);
        Assert.Equal(["event: (null) of box", "event: OrderId { Number = 3 } of box"], records.TakeLast(2));
    }

    private static async Task<(IReadOnlyList<string> Records, CallAware Formatter)> Log(Action<ILogger> log)
    {
        var sink = new TestSink();
        var formatter = new CallAware();
        using var pipeline = new TestPipeline(
            sink, static options => (options.Format, options.Template) = ("mine", null), services: services => services.AddLogging(builder => builder.AddAsyncLogFormatter("mine", formatter)));
        for (var i = 0; i < Times; i++)
            log(pipeline.Logger);
        Assert.True(await pipeline.Flush());
        return ([.. sink.Records], formatter);
    }

    [LoggerMessage(7, LogLevel.Information, "{Id} of {Name}")]
    private static partial void Named(ILogger logger, int id, string name);

    [LoggerMessage(8, LogLevel.Information, "{Id} of {Name}")]
    private static partial void Failed(ILogger logger, Exception exception, int id, string name);

    private readonly record struct OrderId(int Number);

    private sealed class CallAware : ILogFormatter, ICallSiteFormatterFactory
    {
        public int Created { get; private set; }

        public void Format(LogEvent logEvent, IBufferWriter<byte> output) => BuffersExtensions.Write(output, Encoding.UTF8.GetBytes($"event: {Encoding.UTF8.GetString(logEvent.Message)}\n"));

        public CallSiteFormatter? CreateCallSiteFormatter(LogEvent logEvent, MessageTemplate message, StateValues values)
        {
            Created++;
            return new OfCall(logEvent.EventId.Id, new CallText(message, values));
        }
    }

    private sealed class OfCall(int id, CallText text) : CallSiteFormatter
    {
        public override ReadOnlySpan<byte> Format(scoped ref LogCall call)
        {
            LogValue first = default, second = default;
            call.Read(0, ref first);
            call.Read(1, ref second);
            Span<byte> message = stackalloc byte[1024];
            Assert.True(text.TryWrite(in call, message, out var length));
            switch (second.String)
            {
                case "event": return default;
                case "too much": return new byte[1 << 20];
                case "throw": throw new InvalidOperationException();
            }

            return Encoding.UTF8.GetBytes($"call {id}: {Encoding.UTF8.GetString(message[..length])} ({second}, {first})\n");
        }
    }
}
