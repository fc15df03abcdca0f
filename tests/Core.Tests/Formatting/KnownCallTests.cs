using System.Runtime.CompilerServices;
using System.Text;
using AsyncLog.Tests.Capture;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Formatting;

/// <summary>Records of a call that was seen before have the constant text of the layout in the literals of their message, and in JSON their keys and values.</summary>
public sealed class KnownCallTests
{
    // More than the 16 events after which values are read in place, and the second one after which a call is known.
    private const int Times = 24;

    private static readonly string?[] Templates =
    [
        null,
        "{Timestamp:HH:mm:ss.fff} [{Level:u3}] [{Category}] {Message}{NewLine}{Exception}",
        "{Message}",
        "{Message}{NewLine}",
        "{Level,-12:w}{Category:s} {EventId} {EventName,-8}|{Message}|{EventName}{Exception}{NewLine}",
        "{Scopes} {Level} {Message} {Properties}{NewLine}{Exception}",
        "<{Message,-30}> {ThreadId}",
        "{Message} {Message}",
        "{B} before {Message} after {TraceId}\n{Category}",
        "a literal that is longer than any block of constant text [{Category}]: {Message} - and another one that is too long{NewLine}",
    ];

    private static readonly RecordLayout[] Layouts =
    [
        .. Templates.Select(Said.Text),
        Said.Json(),
        Said.Clef(),
        Said.Json() with { Properties = new ConstantProperties([new("A", "constant"), new("zone", "\u00E4")]) },
    ];

    private static readonly object?[] Values =
    [
        1, -7L, long.MinValue, 3.14159, 1e300, double.NaN, "plain", "\"quoted\" \\", new string('z', 300), "", null, "line\nbreak", "control\u0007", "\u00E4\u20AC\U0001F600", "half \uD83D", "\uDE00 half", new string('x', 65), new string('y', 3000),
        true, false, 'c', DayOfWeek.Friday, 12.50m, -0.0m, 2.5f, float.NaN, -0.0, 1 / 3.0, (Half)0.5, (short)-5, ulong.MaxValue, new Uri("http://host/"), new[] { 1, 2 }, new Throwing(),
        Said.Noon, Said.Noon.LocalDateTime, DateOnly.MaxValue, new TimeOnly(9, 5), TimeSpan.FromSeconds(1.5), Guid.Empty, new[] { "one", "two" }, Array.Empty<string>(), new[] { "a\"b", null }, new string[40],
    ];

    private static readonly DefinedMessage[] Messages =
    [
        DefinedMessage.Of<string?>(),
        DefinedMessage.Of<int, string?>(),
        DefinedMessage.Of<double, float>(),
        DefinedMessage.Of<Guid, Shade, Access>(),
        DefinedMessage.Of<decimal, TimeSpan, bool>(),
        DefinedMessage.Of<int?, Shade?, double?>(),
        DefinedMessage.Of<Int128, UInt128, Half, sbyte>(),
        DefinedMessage.Of<DateTime, DateTimeOffset, DateOnly, TimeOnly>(),
        DefinedMessage.Of<short, ushort, uint, ulong, long>(),
        DefinedMessage.Of<int, string?, double, Guid, ByteShade, byte>(),
        DefinedMessage.Of<string?[]?, HugeAccess, string?>(),
    ];

    private static readonly LogCategory[] Categories = [new("Shop.Cart"), new("bench"), new("Quoted \" \n \u00E4"), new("A.Category.With.A.Name.That.Is.Longer.Than.One.Block.Of.Constant.Text")];

    [Theory]
    [InlineData(null)]
    [InlineData(400)]
    public void A_record_is_the_same_whether_its_call_is_known_or_not(int? maxRecordSize)
    {
        var withoutEvent = 0;
        string[] templates = ["{A}", "Order {A} took {B:F3} ms", "{A}{B}", "Item {A,8} of {B,-8}.", "\u00E4 {A} \u0007 {B}", "{A} ends\n", " {A}", "half \uD83D{A}\uDE00", "A literal that is longer than one block of text: {A} and {B}"];
        foreach (var any in Layouts)
        {
            var layout = any with { MaxRecordSize = maxRecordSize ?? any.MaxRecordSize };
            var known = New(layout);
            foreach (var template in templates)
                withoutEvent += CompareAll(known, layout, template);
        }

        Assert.True(withoutEvent > 1000, $"{withoutEvent} records were written without an event");
    }

    [Fact]
    public void A_record_of_random_values_is_the_same_whether_it_needs_an_event_or_not()
    {
        var withoutEvent = 0;
        foreach (var layout in Layouts)
        {
            var known = New(layout);
            for (var seed = 0; seed < ReleaseRun.Count(usual: 60, release: 2_000); seed++)
                withoutEvent += CompareRandom(known, layout, new TestValues(new System.Random(seed)));
        }

        Assert.True(withoutEvent > 1000, $"{withoutEvent} records were written without an event");
    }

    [Theory]
    [InlineData("Json", "\"Message\":\"1 box 1.5 Friday 00000001-0000-0000-0000-000000000000 True\",\"State\":{\"A\":1,\"B\":\"box\",\"C\":1.5,\"D\":\"Friday\",\"E\":\"00000001-0000-0000-0000-000000000000\",\"F\":true,")]
    [InlineData("Clef", "\"@m\":\"1 box 1.5 Friday 00000001-0000-0000-0000-000000000000 True\",\"SourceContext\":\"bench\",\"EventId\":{\"Id\":9},\"A\":1,\"B\":\"box\",\"C\":1.5,\"D\":\"Friday\",\"E\":\"00000001-0000-0000-0000-000000000000\",\"F\":true}")]
    public void A_value_without_an_event_is_in_the_message_and_among_the_properties(string format, string part)
    {
        const string Template = "{A} {B} {C} {D} {E} {F}";
        var log = LoggerMessage.Define<int, string, double, DayOfWeek, Guid, bool>(LogLevel.Information, 9, Template);
        var logger = new RenderingLogger(New(Said.Json() with { Format = format }), Categories[1]);
        for (var i = 0; i < Times; i++)
            log(logger, 1, "box", 1.5, DayOfWeek.Friday, new Guid(1, 0, 0, new byte[8]), true, null);
        Assert.Contains(part, logger.TextWithoutEvent, StringComparison.Ordinal);
        for (var i = 0; i < Times; i++)
            logger.LogInformation(9, Template, 1, "box", 1.5, DayOfWeek.Friday, new Guid(1, 0, 0, new byte[8]), true);
        Assert.Contains(part, logger.TextWithoutEvent, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(31)]
    [InlineData(32)]
    [InlineData(33)]
    [InlineData(256)]
    public void A_text_of_any_length_is_the_same_among_the_properties(int length)
    {
        var text = new string('x', length);
        var log = LoggerMessage.Define<string, string>(LogLevel.Information, 9, "{A} and {B}");
        var logger = new RenderingLogger(New(Said.Json()), Categories[1]);
        for (var i = 0; i < Times; i++)
            log(logger, text, "", null);
        Assert.Contains($"\"Message\":\"{text} and \",\"State\":{{\"A\":\"{text}\",\"B\":\"\",", logger.TextWithoutEvent, StringComparison.Ordinal);
    }

    [Fact]
    public void A_record_with_more_values_than_texts_that_are_copied_has_them_all()
    {
        const int Count = TextPlaces.Most + 3;
        var template = string.Join(' ', Enumerable.Range(0, Count).Select(static number => $"{{V{number}}}"));
        var logger = new RenderingLogger(New(Said.Json()), Categories[1]);
        for (var i = 0; i < Times; i++)
            logger.Log(LogLevel.Information, 9, null, template, [.. Enumerable.Range(100, Count).Select(static number => (object)number)]);
        var message = string.Join(' ', Enumerable.Range(100, Count));
        var members = string.Join(',', Enumerable.Range(0, Count).Select(static number => $"\"V{number}\":{100 + number}"));
        Assert.Contains(
            $"\"Message\":\"{message}\",\"State\":{{{members},\"{{OriginalFormat}}\":\"{template}\"}}}}\n", logger.TextWithoutEvent, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void Two_states_of_one_template_are_written_each_as_it_is(int rounds)
    {
        // Both share the parsed template, which keeps the offsets of one type of state.
        const string Template = "Shared {A} and {B}";
        var one = LoggerMessage.Define<int, string>(LogLevel.Information, 1, Template);
        var two = LoggerMessage.Define<string, long>(LogLevel.Information, 1, Template);
        var logger = new RenderingLogger(New(Said.Text("{Level} {Message}{NewLine}")), Categories[0]);
        for (var i = 0; i < rounds * Times; i++)
        {
            one(logger, i, "text", null);
            Assert.Equal($"Information Shared {i} and text\n", logger.Text);
            two(logger, "text", i, null);
            Assert.Equal($"Information Shared text and {i}\n", logger.Text);
            logger.LogInformation(1, Template, i, i);
            Assert.Equal($"Information Shared {i} and {i}\n", logger.Text);
        }
    }

    [Fact(Skip = CaptureAllocationTests.NeedsOptimisedCode, SkipType = typeof(CaptureAllocationTests), SkipWhen = nameof(CaptureAllocationTests.IsDebug))]
    public void Two_states_of_one_template_in_turn_allocate_nothing()
    {
        var one = LoggerMessage.Define<int, string>(LogLevel.Information, 1, "In turn {A} and {B}");
        var two = LoggerMessage.Define<string, long>(LogLevel.Information, 1, "In turn {A} and {B}");
        foreach (var layout in new[] { Said.Text(), Said.Json() })
        {
            var logger = new RenderingLogger(New(layout), Categories[0]) { KeepsText = false };
            long allocated = 0;
            for (var i = 0; i < 200; i++)
            {
                var before = GC.GetAllocatedBytesForCurrentThread();
                one(logger, i, "text", null);
                two(logger, "text", i, null);
                allocated = GC.GetAllocatedBytesForCurrentThread() - before;
            }
            Assert.Equal(0, allocated);
        }
    }

    private static int CompareAll(ILogFormatter known, RecordLayout layout, string template)
    {
        var withoutEvent = 0;
        var both = template.Contains("{B", StringComparison.Ordinal) ? template : template + "{B}";
        var define = LoggerMessage.Define<int, string?>(LogLevel.Warning, new EventId(7, "Seven"), both);
        var numbers = LoggerMessage.Define<long, double>(LogLevel.Information, 8, both);
        var others = LoggerMessage.Define<int?, Guid>(LogLevel.Error, 9, both);
        var fractions = LoggerMessage.Define<float, decimal>(LogLevel.Information, 10, both);
        var times = LoggerMessage.Define<DateTimeOffset, DateTime>(LogLevel.Information, 11, both);
        var parts = LoggerMessage.Define<DateOnly, TimeOnly>(LogLevel.Information, 12, both);
        var choices = LoggerMessage.Define<DayOfWeek, double?>(LogLevel.Information, 14, both);
        var lists = LoggerMessage.Define<string?[]?, bool>(LogLevel.Information, 13, both);
        for (var i = 0; i < Times * 2; i++)
        {
            var value = Values[i % Values.Length];
            var other = Values[(i * 7 + 3) % Values.Length];
            var category = Categories[i % Categories.Length];
            var exception = i % 11 == 10 ? new IOException("failed") : null;
            withoutEvent += Compare(known, layout, category, logger => define(logger, i, value as string, exception));
            withoutEvent += Compare(known, layout, category, logger => numbers(logger, -i * 1_000_000_007L, value as double? ?? i / 7.0, exception));
            withoutEvent += Compare(known, layout, category, logger => others(logger, value as int?, new Guid(i, 0, 0, new byte[8]), exception));
            withoutEvent += Compare(known, layout, category, logger => fractions(logger, value as float? ?? i / 4f, value as decimal? ?? i / 100m, exception));
            withoutEvent += Compare(known, layout, category, logger => times(logger, Said.Noon.AddTicks(i), new DateTime(i, (DateTimeKind)(i % 3)), exception));
            withoutEvent += Compare(known, layout, category, logger => parts(logger, DateOnly.FromDayNumber(i), new TimeOnly(i % 24, i), exception));
            withoutEvent += Compare(known, layout, category, logger => choices(logger, (DayOfWeek)(i - 3), i % 3 == 0 ? null : i / 8.0, exception));
            withoutEvent += Compare(known, layout, category, logger => lists(logger, value as string?[], i % 2 == 0, exception));
            if (template.Contains("{B", StringComparison.Ordinal))
                withoutEvent += Compare(known, layout, category, logger => logger.Log((LogLevel)(i % 6), i % 3, exception, template, value, other));
            else
                withoutEvent += Compare(known, layout, category, logger => logger.Log((LogLevel)(i % 6), i % 3, exception, template, value));
        }

        return withoutEvent;
    }

    // One call in the code with values of the same types.
    private static int CompareRandom(ILogFormatter known, RecordLayout layout, TestValues values)
    {
        var message = values.Pick(Messages);
        var template = "Values";
        for (var i = 0; i < message.Types.Length; i++)
        {
            var format = values.Chance(4) ? values.FormatOf(values.Next(message.Types[i])) : null;
            template += $" {{Value{i}{(values.Chance(8) ? ",9" : "")}{(format is null || format.Contains('\u20AC', StringComparison.Ordinal) ? "" : ":" + format)}}}{values.Pick(["", ",", " of"])}";
        }

        var log = message.Define(template);
        var withoutEvent = 0;
        for (var i = 0; i < Times + 8; i++)
        {
            var category = Categories[i % 2];
            var arguments = Array.ConvertAll(message.Types, values.Next);
            withoutEvent += Compare(known, layout, category, logger => log(logger, arguments));
            withoutEvent += Compare(known, layout, category, logger => logger.LogInformation(template, arguments));
        }

        return withoutEvent;
    }

    // Returns how many records were written without an event.
    private static int Compare(ILogFormatter known, RecordLayout layout, LogCategory category, Action<ILogger> log)
    {
        var expected = new RenderingLogger(New(layout), category);
        log(expected);
        var one = new RenderingLogger(known, category);
        var two = new RenderingLogger(known, category) { IsRenderedOnce = false };
        foreach (var logger in new[] { one, two, one })
        {
            log(logger);
            Assert.Equal(expected.Text, logger.Text);
            Assert.Equal(expected.RenderErrors, logger.RenderErrors);
            Assert.Equal(expected.WasTruncated, logger.WasTruncated);
            if (logger.TextWithoutEvent is not null && !logger.WasTruncated)
                Assert.Equal(expected.Text, logger.TextWithoutEvent);
        }

        return one.TextWithoutEvent is null ? 0 : 1;
    }

    private static ILogFormatter New(RecordLayout layout) => LogFormatters.Create(layout, Said.Application, new ZonedTime(TimeSpan.FromHours(1)));

    private sealed class Throwing
    {
        public override string ToString() => throw new InvalidOperationException("no text");
    }

    private sealed class RenderingLogger(ILogFormatter formatter, LogCategory category) : ILogger
    {
        [ThreadStatic]
        private static Dictionary<(ILogFormatter Formatter, object Owner, LogCategory Category, LogLevel Level, EventId Id), CallSiteFormatter?>? _known;

        private static Dictionary<(ILogFormatter Formatter, object Owner, LogCategory Category, LogLevel Level, EventId Id), CallSiteFormatter?> Known => _known ??= [];

        public string Text { get; private set; } = "";

        /// <summary>The same record, written without an event; null: it needs one.</summary>
        public string? TextWithoutEvent { get; private set; }

        public int RenderErrors { get; private set; }

        public bool WasTruncated { get; private set; }

        public bool IsRenderedOnce { get; init; } = true;

        public bool KeepsText { get; init; } = true;

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull
            => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> message)
        {
            var context = CaptureContext.Current;
            Assert.True(context.TryEnter());
            try
            {
                var logEvent = context.Event;
                logEvent.Begin(Said.Noon.UtcTicks, logLevel, category, eventId, exception, null, 1 << 20);
                logEvent.IsRenderedOnce = IsRenderedOnce;
                StateReader<TState>.Instance.Read(ref state, message, logEvent);
                logEvent.Record.Reset(1 << 20);
                formatter.Format(logEvent, logEvent.Record);
                (RenderErrors, WasTruncated) = (logEvent.RenderErrors, logEvent.WasTruncated);
                if (KeepsText)
                {
                    Text = Encoding.UTF8.GetString(logEvent.Record.WrittenSpan);
                    TextWithoutEvent = exception is null ? WithoutEvent(ref state, message, logEvent, context.Calls) : null;
                }
            }
            finally
            {
                context.Exit();
            }
        }

        private string? WithoutEvent<TState>(ref TState state, Func<TState, Exception?, string> message, LogEvent logEvent, CallScratch scratch)
        {
            var reader = StateReader<TState>.Instance;
            if (reader.OpenLayout is not { } layout || !ReferenceEquals(reader.OwnFormatter, message))
                return null;
            ref var bytes = ref Unsafe.As<TState, byte>(ref state);
            layout = layout.For(ref bytes);
            var template = layout.Template ?? logEvent.ParsedTemplate;
            if (template is not { HasOperators: false } || !layout.HasArguments(ref bytes, template.Names.Length) || !(reader.IsProven || layout.IsText))
                return null;
            // A formatter that an earlier call made: its own values are in none of its bytes.
            var key = (formatter, layout.GetOwner(ref bytes)!, category, logEvent.Level, logEvent.EventId);
            if (!Known.TryGetValue(key, out var known))
            {
                known = ((ICallSiteFormatterFactory)formatter).CreateCallSiteFormatter(logEvent, template, layout);
                Known.Add(key, known);
            }

            if (known is null)
                return null;
            var call = new LogCall(layout, ref bytes, logEvent.UtcTicks, null, scratch);
            try
            {
                var record = known.Format(ref call);
                return record.IsEmpty ? null : Encoding.UTF8.GetString(record);
            }
            catch (FormatException)
            {
                // A format that its type refuses.
                return null;
            }
        }
    }
}
