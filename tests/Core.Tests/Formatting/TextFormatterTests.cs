using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Formatting;

public sealed class TextFormatterTests
{
    private static readonly KeyValuePair<string, object?>[] Request = [new("RequestId", "r 1"), new("User", "ann")];

    [Fact]
    public void An_error_record_is_a_line_or_an_object_of_the_layout()
    {
        var said = new Said { Level = LogLevel.Error, Id = new EventId(7, "Add\"ed"), Template = "Item {Id} added", State = [("Id", 42)] };
        const string Error = "<error formatting record: A.B`1[\u00FC]>";
        Assert.Equal(Error + "\n", said.ErrorIn(Said.Text(), Error));
        Assert.Equal(
            "{\"Timestamp\":\"2026-11-20T12:31:07.4821234+01:00\",\"EventId\":7,\"EventName\":\"Add\\\"ed\",\"LogLevel\":\"Error\",\"Category\":\"Shop.Cart\",\"Message\":\"" + Error + "\"}\n",
            said.ErrorIn(Said.Json(), Error));
        Assert.Equal(
            "{\"@t\":\"2026-11-20T11:31:07.4821234Z\",\"@l\":\"Error\",\"@mt\":\"Item {Id} added\",\"@m\":\"" + Error + "\"}\n", said.ErrorIn(Said.Clef(), Error));
    }

    [Fact]
    public void The_default_line_is_the_same_in_every_culture() => Cultures.InEach(() =>
        Assert.Equal("2026-11-20 12:31:07.482 +01:00 [INF] Shop.Cart: Item 42 added\n", new Said().In(Said.Text())));

    [Fact]
    public void An_exception_follows_with_two_spaces_before_every_line()
    {
        var said = new Said { Level = LogLevel.Error, Message = "Payment failed\nforged line stays here", Exception = new StubException("System.X: no\n   at Shop.Pay()\r\n--- \tend\n") };
        Assert.Equal("2026-11-20 12:31:07.482 +01:00 [ERR] Shop.Cart: Payment failed\\nforged line stays here\n  System.X: no\n     at Shop.Pay()\n  --- \\tend\n", said.In(Said.Text()));
        Assert.False(said.WasTruncated);
    }

    [Theory]
    [InlineData("{Level}|{Level:u}|{Level:w}|{Level:u3}|{Level:w3}|{Level:t3}", "Warning|WARNING|warning|WRN|wrn|Wrn")]
    [InlineData("|{Level,9:u3}|{Level,-9}|", "|      WRN|Warning  |")]
    [InlineData("{Category}|{Category:s}|{SourceContext}|{SourceContext,12:s}", "Shop.Cart|Cart|Shop.Cart|        Cart")]
    [InlineData("{Message}|{Message:lj}", "Item 42 added|Item 42 added")]
    [InlineData("{EventId}|{EventName}|{EventId,4}", "7|Added\\n|   7")]
    [InlineData("{TraceId}|{SpanId}", "0af7651916cd43dd8448eb211c80319c|b7ad6b7169203331")]
    [InlineData("{ApplicationName}|{EnvironmentName}|{Instance,4}|", "Shop|Staging| api|")]
    [InlineData("{{{Level}}}", "{Warning}")]
    [InlineData("{Timestamp:HH:mm:ss.fffffff}|{Timestamp:O}", "12:31:07.4821234|2026-11-20T12:31:07.4821234+01:00")]
    [InlineData("{Id:000}|{Price}|{Id,-4}|{Missing}|{User}|{When:yyyy}|{Flag:x}|{Name:x}|{Nothing}|{Money:0.0}|{Money:bad}", "042|1.5|42  ||ann|2026|true|n||2.5 EUR|2.50 EUR")]
    [InlineData("{Scopes}", "=> outer\\n => Request")]
    [InlineData("x{Properties}", "xPrice=1.5 When=2026-11-20T11:31:07.4821234+00:00 Flag=true Name=n Nothing=\"\" Money=\"2.50 EUR\" RequestId=\"r 1\" User=ann")]
    [InlineData("{Price}{RequestId}|{Properties}", "1.5r 1|When=2026-11-20T11:31:07.4821234+00:00 Flag=true Name=n Nothing=\"\" Money=\"2.50 EUR\" User=ann")]
    public void Every_placeholder_writes_its_value(string template, string expected) => Cultures.InEach(() =>
    {
        var said = new Said
        {
            Level = LogLevel.Warning,
            Id = new EventId(7, "Added\n"),
            Template = "Item {Id,5:x} {{User}} added",
            State = [("Id", 42), ("Price", 1.5), ("When", Said.Noon), ("Flag", true), ("Name", "n"), ("Nothing", null), ("Money", new Money(2.50m))],
            Scopes = ["outer\n", new NamedScope("Request", Request)],
            Trace = "0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331",
        };
        Assert.Equal(expected + "\n", said.In(Said.Text(template) with { Instance = "api" }));
    });

    [Fact]
    public void A_scope_without_a_text_of_its_own_is_its_pairs()
    {
        var said = new Said { Scopes = ["outer", new Dictionary<string, object?> { ["OrderId"] = 42, ["Customer"] = "ann", ["Nothing"] = null }, new Dictionary<string, object?>()] };
        Assert.Equal($"=> outer => OrderId:42, Customer:ann, Nothing: => {typeof(Dictionary<string, object>)}\n", said.In(Said.Text("{Scopes}")));
    }

    [Fact]
    public void Machine_process_and_thread_are_those_of_the_call()
    {
        var expected = $"{Environment.MachineName} {Environment.ProcessId} {Environment.CurrentManagedThreadId}\n";
        Assert.Equal(expected, new Said().In(Said.Text("{MachineName} {ProcessId} {ThreadId}")));
    }

    [Fact]
    public void A_property_is_taken_from_the_state_then_from_the_inner_scope_and_the_last_of_a_list()
    {
        var said = new Said
        {
            State = [("a", 1), ("a", 2), ("", 9)],
            Scopes = [new NamedScope("o", [new("a", 3), new("b", 4), new("c", 8)]), new NamedScope("i", [new("b", 5), new("b", 6), new("d", 7)])],
        };
        Assert.Equal("2|6|7\n", said.In(Said.Text("{a}|{b}|{d}")));
        Assert.Equal("a=2 c=8 b=6 d=7\n", said.In(Said.Text("{Properties}")));
        Assert.Equal("a=2|||\n", said.In(Said.Text("{Properties}|{b}|{Scopes}|") with { IncludeScopes = false }));
    }

    [Fact]
    public void Quotes_stand_around_what_would_be_ambiguous()
    {
        var said = new Said { State = [("a", "x y"), ("b", "x=y"), ("c", "say \"x\""), ("d", ""), ("e", "a\nb"), ("f", new[] { "q" }), ("g k", 'c')] };
        Assert.Equal("a=\"x y\" b=\"x=y\" c=\"say \\\"x\\\"\" d=\"\" e=a\\nb f=\"[\\\"q\\\"]\" g k=c\n", said.In(Said.Text("{Properties}")));
    }

    [Theory]
    [InlineData("{Message}", "m\n")]
    [InlineData("{Message}{NewLine}{NewLine}{TraceId}", "m\n")]
    [InlineData("{Message}\n\n", "m\n")]
    [InlineData(" {Message}", "\\u0020m\n")]
    [InlineData("{Missing} {Message}", "\\u0020m\n")]
    [InlineData("{Level,12}", "\\u0020Information\n")]
    [InlineData("{Message}{NewLine}{Level:u3}", "m\n  INF\n")]
    [InlineData("{Message}{NewLine} {Level:u3}", "m\n INF\n")]
    [InlineData("{Message}\n{Level:u3}\n", "m\n  INF\n")]
    [InlineData("{Message}{NewLine}{NewLine}x", "m\n  \n  x\n")]
    [InlineData("", "\n")]
    [InlineData("{TraceId}", "\n")]
    public void A_line_that_does_not_begin_with_a_space_begins_a_record(string template, string expected)
        => Assert.Equal(expected, new Said { Message = "m\r\n\n" }.In(Said.Text(template)));

    [Theory]
    [InlineData("{Scopes} {Message}", "m\n", "=> a => b m\n")]
    [InlineData("{Scopes}  {Level:u3} {Message}", "INF m\n", "=> a => b  INF m\n")]
    [InlineData("{Scopes} ", "\n", "=> a => b \n")]
    [InlineData("{Scopes}{Message}", "m\n", "=> a => bm\n")]
    [InlineData("x{Scopes} {Message}", "x m\n", "x=> a => b m\n")]
    public void Without_scopes_the_space_after_a_leading_placeholder_for_scopes_is_omitted(string template, string without, string with)
    {
        Assert.Equal(without, new Said { Message = "m" }.In(Said.Text(template)));
        Assert.Equal(with, new Said { Message = "m", Scopes = ["a", "b"] }.In(Said.Text(template)));
        // Without the placeholder a space at the start of the record is escaped.
        Assert.Equal("\\u0020m\n", new Said { Message = " m" }.In(Said.Text("{Message}")));
    }

    [Fact]
    public void An_exception_at_the_start_begins_a_record_all_the_same()
        => Assert.Equal("\\u0020 a\n  b\n", new Said { Exception = new StubException("a\nb") }.In(Said.Text("{Exception}")));

    [Fact]
    public void Line_ends_are_those_of_the_layout()
    {
        var said = new Said { Message = "a\r\nb", Exception = new StubException("x\ny") };
        Assert.Equal("a\\r\\nb\r\n  x\r\n  y\r\n", said.In(Said.Text("{Message}{NewLine}{Exception}") with { NewLine = "\r\n" }));
        Assert.Equal("a\r\n  b\r\n  x\r\n  y\r\n", said.In(Said.Text("{Message}{NewLine}{Exception}") with { NewLine = "\r\n", IndentNewLines = true }));
    }

    [Fact]
    public void Indent_keeps_the_line_breaks_of_message_and_values()
    {
        var said = new Said { Message = "a\nb\n", State = [("v", "c\r\nd")], Category = "x\ny", Scopes = ["s\nt"] };
        Assert.Equal("x\\ny a\n  b c\n  d v=1\n", said.In(Said.Text("{Category} {Message} {v} v=1") with { IndentNewLines = true }));
        Assert.Equal("=> s\n  t v=\"c\n  d\"\n", said.In(Said.Text("{Scopes} {Properties}") with { IndentNewLines = true }));
    }

    [Fact]
    public void A_single_line_holds_the_exception_too()
    {
        var said = new Said { Exception = new StubException("a\n  b\r\nc") };
        var layout = Said.Text("{Message}{NewLine}{Exception}") with { SingleLine = true };
        Assert.Equal("Item 42 added a\\n  b\\nc\n", said.In(layout));
        Assert.Equal("Item 42 added\n", new Said().In(layout));
        Assert.Equal("Item 42 added|a\\n  b\\nc\n", said.In(Said.Text("{Message}|{Exception}") with { SingleLine = true }));
        Assert.Equal("Item 42 added\n  end\n", new Said().In(Said.Text("{Message}{NewLine}{Exception}end") with { SingleLine = true }));
    }

    [Fact]
    public void Scopes_are_added_to_the_default_line_on_demand()
    {
        var said = new Said { Scopes = ["s", "t"] };
        Assert.EndsWith("added => s => t\n", said.In(Said.Text() with { IncludeScopes = true }), StringComparison.Ordinal);
        Assert.EndsWith("added\n", new Said().In(Said.Text() with { IncludeScopes = true }), StringComparison.Ordinal);
        Assert.EndsWith("added\n", said.In(Said.Text()), StringComparison.Ordinal);
    }

    [Fact]
    public void The_time_stamp_format_of_the_options_and_utc_win()
    {
        Assert.Equal("11:31 x\n", new Said().In(Said.Text("{Timestamp} x") with { TimestampFormat = "HH:mm", UseUtcTimestamp = true }));
        Assert.StartsWith("2026-11-20 11:31:07.482 +00:00 [", new Said().In(Said.Text() with { UseUtcTimestamp = true }), StringComparison.Ordinal);
    }

    [Fact]
    public void Null_messages_empty_categories_and_unknown_levels_are_written()
    {
        Assert.Equal("None|NON|\n", new Said { Level = LogLevel.None, Message = null }.In(Said.Text("{Level}|{Level:u3}|{Message}")));
        Assert.Equal("[42] |-1|\n", new Said { Level = (LogLevel)42, Id = -1, Category = "" }.In(Said.Text("[{Level:u3}] {Category}|{EventId}|{EventName}")));
    }

    [Fact]
    public void A_value_that_throws_is_named_and_counted_once()
    {
        var said = new Said { State = [("a", new ThrowingToString())] };
        Assert.Equal("<error: AsyncLog.Tests.Formatting.ThrowingToString>\n", said.In(Said.Text("{a}")));
        Assert.Equal(1, said.RenderErrors);
        Assert.Equal(1024, said.Bytes(Said.Text("{a}" + new string('x', 2000)) with { MaxRecordSize = 1024 }).Length);
        Assert.Equal(1, said.RenderErrors);
    }

    [Fact]
    public void Any_output_gets_the_same_bytes()
    {
        var output = new System.Buffers.ArrayBufferWriter<byte>();
        var formatter = LogFormatters.Create(Said.Text("{Message}"), Said.Application, TimeProvider.System);
        var logEvent = new LogEvent();
        new Said().Render(formatter, logEvent, output);
        new Said { Message = "two" }.Render(formatter, logEvent, output);
        Assert.Equal("Item 42 added\ntwo\n", System.Text.Encoding.UTF8.GetString(output.WrittenSpan));
        var buffer = new RecordBuffer();
        new Said().Render(formatter, logEvent, buffer);
        Assert.Equal("Item 42 added\n", System.Text.Encoding.UTF8.GetString(buffer.WrittenSpan));
    }

    [Theory]
    [InlineData("Ecs", null, null, "'Ecs' is not a built-in format. (Parameter 'layout')")]
    [InlineData("Text", "{", null, "The template is not valid: column 1: '{' without '}': write '{{' for a brace. (Parameter 'text')")]
    [InlineData(
        "json", null, "q", "The timestamp format is not valid: expected a .NET date and time format such as yyyy-MM-dd HH:mm:ss.fff. (Parameter 'layout')")]
    public void What_is_not_known_is_refused(string format, string? template, string? time, string message)
    {
        var layout = new RecordLayout { Format = format, Template = template, TimestampFormat = time };
        Assert.Equal(message, Assert.Throws<ArgumentException>(() => LogFormatters.Create(layout, Said.Application, TimeProvider.System)).Message);
    }
}
