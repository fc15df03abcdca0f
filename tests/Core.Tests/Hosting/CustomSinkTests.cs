using System.Text;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace AsyncLog.Tests.Hosting;

/// <summary>A sink of others: a class with an alias, and one call of <c>AddAsyncLogSink</c>. It has what the own sinks have.</summary>
public sealed class CustomSinkTests
{
    [Fact]
    public async Task Its_section_binds_its_options_and_has_those_of_every_sink()
    {
        using var pipeline = new QueuePipeline(
            ("Url", "amqp://a"), ("port", "7"), ("Mode", "fanout"), ("Durable", "true"), ("Timeout", "00:00:05"), ("exchange", "logs"), ("Topics:0", "x"), ("Topics:1", "y"), ("Login:User", "me"),
            ("MaxQueueLength", "77"), ("Properties:App", "shop"), ("Format", "Json"), ("Template", null));
        pipeline.Logger.LogInformation("Order {Id}", 7);
        Assert.True(await pipeline.Flush());

        var sink = Assert.Single(pipeline.Sinks);
        var options = sink.Options;
        Assert.Equal(("amqp://a", 7, QueueMode.Fanout, true, TimeSpan.FromSeconds(5), "logs"), (options.Url, options.Port, options.Mode, options.Durable, options.Timeout, options.Channel));
        Assert.Equal(["x", "y"], options.Topics);
        Assert.Equal(("me", 3), (options.Login.User, options.Login.Tries));
        Assert.Equal((77, "Json"), (options.MaxQueueLength, options.Format));
        Assert.Contains("\"Message\":\"Order 7\"", Assert.Single(sink.Lines), StringComparison.Ordinal);
        Assert.Contains("\"App\":\"shop\"", sink.Lines[0], StringComparison.Ordinal);
        Assert.Equal("", pipeline.Said);
    }

    [Fact]
    public async Task The_overload_without_a_binder_binds_by_reflection()
    {
        using var pipeline = new QueuePipeline(
            static (builder, pipeline) => builder.AddAsyncLogSink<QueueSink, QueueSinkOptions>(pipeline.Create, static options => options.Durable = true)
                .AddAsyncLogSink<QueueSink, QueueSinkOptions>("orders", pipeline.Create, static options => options.Port = 8),
            more: null,
            ("Url", "amqp://a"), ("Port", "7"));
        pipeline.Logger.LogInformation("one");
        Assert.True(await pipeline.Flush());

        Assert.Equal([("amqp://a", 7, true), ("amqp://a", 8, true)], pipeline.Sinks.Select(static sink => (sink.Options.Url, sink.Options.Port, sink.Options.Durable)));
        Assert.Equal(["one"], pipeline.SinkOf("orders").Lines);
    }

    [Theory]
    [InlineData("Logging:Queue:LogLevel:Shop", null)]
    [InlineData("Logging:AsyncLog.Tests.Hosting.QueueSink:LogLevel:Shop", null)]
    [InlineData("Logging:LogLevel:Shop", null)]
    [InlineData("Logging:LogLevel:Shop", "Logging:Queue:LogLevel:Shop.Cart")]
    [InlineData("Logging:Queue:LogLevel:Shop", "Logging:Queue:Instances:orders:LogLevel:Shop.Cart")]
    public async Task The_rules_for_its_alias_and_its_class_decide_as_for_a_provider(string warningKey, string? debugKey)
    {
        using var pipeline = new QueuePipeline(("Logging:LogLevel:Default", "Trace"), ("Instances:orders:Port", "1"), (warningKey, "Warning"), (debugKey ?? "Logging:LogLevel:Other", "Debug"));
        var cart = pipeline.Factory.CreateLogger("Shop.Cart");
        Assert.Equal((false, true), (pipeline.Logger.IsEnabled(LogLevel.Information), pipeline.Logger.IsEnabled(LogLevel.Warning)));
        Assert.Equal((debugKey is not null, false), (cart.IsEnabled(LogLevel.Debug), cart.IsEnabled(LogLevel.Trace)));
        pipeline.Logger.LogInformation("shop info");
        cart.LogDebug("cart debug");
        cart.LogWarning("cart warning");
        Assert.True(await pipeline.Flush());

        Assert.Equal(debugKey is null ? ["cart warning"] : ["cart debug", "cart warning"], pipeline.SinkOf("orders").Lines);
        Assert.Equal(debugKey?.Contains("Instances", StringComparison.Ordinal) == false ? ["cart debug", "cart warning"] : ["cart warning"], pipeline.SinkOf("default").Lines);
        Assert.Equal(LogLevel.Warning, pipeline.Status.EffectiveLevels["Shop"].Level);
    }

    [Fact]
    public async Task Rules_of_code_for_its_alias_apply()
    {
        using var pipeline = new QueuePipeline(
            static builder => builder.Services.Configure<LoggerFilterOptions>(static options =>
            {
                options.Rules.Add(new LoggerFilterRule("Queue", "Shop", LogLevel.Error, null));
                options.Rules.Add(new LoggerFilterRule("Queue", "Shop.Cart", null, static (_, _, level) => level == LogLevel.Information));
            }));
        var cart = pipeline.Factory.CreateLogger("Shop.Cart");
        pipeline.Logger.LogWarning("shop warning");
        pipeline.Logger.LogError("shop error");
        cart.LogWarning("cart warning");
        cart.LogInformation("cart information");
        Assert.True(await pipeline.Flush());
        Assert.Equal(["shop error", "cart information"], Assert.Single(pipeline.Sinks).Lines);
    }

    [Fact]
    public async Task A_reload_changes_its_levels()
    {
        using var pipeline = new QueuePipeline(("LogLevel:Default", "Warning"));
        pipeline.Logger.LogInformation("one");
        pipeline.Edit(("LogLevel:Default", "Information"));
        pipeline.Logger.LogInformation("two");
        pipeline.Edit(("Instances:errors:LogLevel:Default", "Error"), ("LogLevel:Default", "Warning"));
        pipeline.Logger.LogInformation("three");
        pipeline.Logger.LogError("four");
        Assert.True(await pipeline.Flush());
        Assert.Equal(["two", "four"], pipeline.SinkOf("default").Lines);
        Assert.Equal(["four"], pipeline.SinkOf("errors").Lines);
    }

    [Fact]
    public async Task Named_instances_inherit_from_the_section_and_add_to_it()
    {
        using var pipeline = new QueuePipeline(
            static (builder, pipeline) => builder
                .AddAsyncLogSink<QueueSink, QueueSinkOptions>(pipeline.Create, static (section, options) => section.Bind(options), static options => options.Durable = true)
                .AddAsyncLogSink<QueueSink, QueueSinkOptions>("code", pipeline.Create, static (section, options) => section.Bind(options), static options => options.Port = 9),
            more: null,
            ("Url", "amqp://a"), ("Login:User", "me"), ("Topics:0", "x"),
            ("Instances:orders:Port", "8"), ("Instances:orders:Login:Tries", "4"), ("Instances:orders:Topics:0", "y"), ("Instances:CODE:Url", "amqp://c"));
        pipeline.Logger.LogInformation("one");
        Assert.True(await pipeline.Flush());

        Assert.Equal(["queue/default", "queue/orders", "queue/CODE"], pipeline.Control.GetStatus().Instances.Select(static status => status.Name).OrderByDescending(static name => name == "queue/default").ThenByDescending(static name => name, StringComparer.Ordinal));
        Assert.Equal(("amqp://a", 5672, true, "me", 3), Of("default"));
        Assert.Equal(("amqp://a", 8, true, "me", 4), Of("orders"));
        Assert.Equal(("amqp://c", 9, true, "me", 3), Of("CODE"));
        Assert.Equal(["x"], pipeline.SinkOf("default").Options.Topics);
        Assert.Equal(["x", "y"], pipeline.SinkOf("orders").Options.Topics);
        Assert.All(["default", "orders", "CODE"], name => Assert.Equal(["one"], pipeline.SinkOf(name).Lines));

        (string?, int, bool, string?, int) Of(string name) => pipeline.SinkOf(name).Options is var options ? (options.Url, options.Port, options.Durable, options.Login.User, options.Login.Tries) : default;
    }

    [Fact]
    public async Task A_section_whose_Main_is_false_and_an_instance_that_is_switched_off_take_nothing()
    {
        using var pipeline = new QueuePipeline(("Main", "false"), ("Instances:on:Port", "1"), ("Instances:off:Enabled", "false"));
        pipeline.Logger.LogInformation("one");
        Assert.True(await pipeline.Flush());
        Assert.Equal(["queue/on"], pipeline.Sinks.Select(static sink => sink.Context.Name));
        Assert.Equal(["queue/on"], pipeline.Control.GetStatus().Instances.Select(static status => status.Name));
        Assert.Equal(["one"], pipeline.SinkOf("on").Lines);
    }

    [Fact]
    public async Task It_has_every_layout_and_the_formatters_of_the_application()
    {
        using var pipeline = new QueuePipeline(
            static builder => builder.AddAsyncLogFormatter("Upper", new UpperFormatter()),
            ("Instances:json:Format", "Json"), ("Instances:json:Template", ""), ("Instances:clef:Format", "clef"), ("Instances:clef:Template", ""), ("Instances:upper:Format", "upper"), ("Instances:upper:Template", ""));
        pipeline.Logger.LogInformation("Order {Id}", 7);
        Assert.True(await pipeline.Flush());

        Assert.Equal(["Order 7"], pipeline.SinkOf("default").Lines);
        Assert.Contains("\"Message\":\"Order 7\"", Assert.Single(pipeline.SinkOf("json").Lines), StringComparison.Ordinal);
        Assert.Contains("\"@mt\":\"Order {Id}\"", Assert.Single(pipeline.SinkOf("clef").Lines), StringComparison.Ordinal);
        Assert.Equal(["ORDER 7"], pipeline.SinkOf("upper").Lines);
    }

    [Fact]
    public async Task Its_queue_is_bounded_and_counts_what_it_refuses()
    {
        using var pipeline = new QueuePipeline(("MaxQueueLength", "10"), ("ReservedPercentage", "0"), ("GapNotices", "false"));
        using var gate = new ManualResetEventSlim();
        using var taken = new ManualResetEventSlim();
        pipeline.Sinks.Single().Before = _ =>
        {
            taken.Set();
            gate.Wait(TestContext.Current.CancellationToken);
        };
        pipeline.Logger.LogInformation("first");
        Assert.True(taken.Wait(TimeSpan.FromSeconds(20), TestContext.Current.CancellationToken));
        for (var i = 0; i < 30; i++)
            pipeline.Logger.LogInformation("{Number}", i);
        gate.Set();
        Assert.True(await pipeline.Flush());

        var status = Counters.AssertAddUp(pipeline.Status, 31);
        Assert.Equal(10, status.QueueCapacity);
        Assert.InRange(status.Drops.Single(static drop => drop.Reason == DropReason.QueueFull).Count, 20, 21);
    }

    [Fact]
    public async Task Its_counters_add_up_over_written_and_refused_records_and_failures()
    {
        using var pipeline = new QueuePipeline();
        using var gate = new ManualResetEventSlim();
        var failures = 2;
        pipeline.Sinks.Single().Before = batch =>
        {
            gate.Wait(TestContext.Current.CancellationToken);
            if (failures-- > 0)
                throw new LogSinkException("refused", "nobody listens") { RetryDelay = TimeSpan.FromMilliseconds(1) };
            for (var index = batch.Count - 1; index >= 0; index--)
            {
                if (Encoding.UTF8.GetString(batch[index].Bytes.Span).StartsWith("bad", StringComparison.Ordinal))
                    batch.Refuse(index, DropReason.SinkPermanent);
            }
        };
        for (var i = 0; i < 5; i++)
            pipeline.Logger.LogInformation("good {Number}", i);
        pipeline.Logger.LogError("bad");
        var flush = pipeline.Flush();
        gate.Set();
        // One record was lost since it began.
        Assert.False(await flush);

        var status = Counters.AssertAddUp(pipeline.Status, 6);
        Assert.Equal((5, 1), (status.Written, status.Dropped));
        Assert.Equal([new DropCount(DropReason.SinkPermanent, LogLevel.Error, 1)], status.Drops);
        Assert.Equal(2, status.Errors["refused"]);
    }

    [Fact]
    public async Task Its_failure_is_in_health_status_and_on_stderr_until_it_delivers_again()
    {
        // The health check logs, too.
        using var pipeline = new QueuePipeline(("Url", "amqp://a"), ("Instances:orders:Url", "amqp://b"), ("Logging:LogLevel:Microsoft", "None"));
        Assert.Equal(HealthStatus.Healthy, (await pipeline.CheckHealth()).Status);
        var isAway = true;
        pipeline.SinkOf("default").Before = _ =>
        {
            if (Volatile.Read(ref isAway))
                throw new LogSinkException("refused", "nobody listens") { RetryDelay = TimeSpan.FromMilliseconds(1) };
        };
        pipeline.Logger.LogInformation("one");
        // The line on stderr comes last.
        await Eventually.Holds(() => pipeline.Said.Contains("nobody listens", StringComparison.Ordinal) && pipeline.StatusOf("orders").Written == 1);

        var health = await pipeline.CheckHealth();
        var status = pipeline.Status;
        Assert.Equal((HealthStatus.Degraded, $"queue/default: degraded (refused) since {status.ReasonSince:HH:mm:ss}Z"), (health.Status, health.Description));
        Assert.Equal(("queue", "amqp://a", "nobody listens"), (status.Type, status.Target, status.LastError!.Message));
        Assert.Equal((SinkState.Degraded, null), (status.State, status.TroubleEndedAt));
        Assert.Equal(("amqp://b", SinkState.Healthy), (pipeline.StatusOf("orders").Target, pipeline.StatusOf("orders").State));
        Assert.EndsWith(
            $" AsyncLog: warn queue/default: nobody listens (refused). Records wait in the queue; retrying.{Environment.NewLine}",
            pipeline.Said, StringComparison.Ordinal);

        Volatile.Write(ref isAway, false);
        // The state stays degraded for a minute.
        await Eventually.Holds(() => pipeline.Status.TroubleEndedAt is not null);
        Assert.True(await pipeline.Flush());
        Assert.Equal(["one"], pipeline.SinkOf("default").Lines);
        await Eventually.Holds(
            () => pipeline.Said.EndsWith($" AsyncLog: info queue/default: delivery works again.{Environment.NewLine}", StringComparison.Ordinal));
        Assert.Equal(2, pipeline.Said.Split(Environment.NewLine, StringSplitOptions.RemoveEmptyEntries).Length);
    }

    [Theory]
    [InlineData("Text", true)]
    [InlineData("Json", false)]
    public async Task Records_on_the_disk_are_sent_by_the_next_process_if_the_layout_is_the_same(string next, bool areSent)
    {
        using var folder = new TempFolder();
        using (var pipeline = new QueuePipeline(("SpoolPath", folder.Path), ("ShutdownTimeout", "00:00:00"), ("Url", "amqp://a")))
        {
            pipeline.Sinks.Single().Before = static _ => throw new LogSinkException("refused", "nobody listens");
            for (var i = 0; i < 3; i++)
                pipeline.Logger.LogInformation("{Number}", i);
        }

        // Another address is no other wire format.
        using var later = new QueuePipeline(("SpoolPath", folder.Path), ("Url", "amqp://b"), ("Format", next), ("Template", null), ("TimestampFormat", "yyyy"));
        await Eventually.Holds(() => later.Status.Written == 3 || later.Status.Dropped == 3);

        Assert.Equal(areSent ? 3 : 0, later.Status.Written);
        Assert.Equal(areSent ? [] : [new DropCount(DropReason.SpoolForeign, LogLevel.Information, 3)], later.Status.Drops);
        Assert.Equal(areSent ? ["0", "1", "2"] : [], later.Sinks.Single().Lines);
    }

    [Theory]
    [InlineData("Url", "amqp://b", 3)]
    [InlineData("Login:Tries", "4", 4)]
    [InlineData("Topics:0", "x", 4)]
    public async Task A_change_of_its_own_options_replaces_the_sink_and_the_new_one_gets_the_records_that_wait(string key, string value, int sinks)
    {
        using var pipeline = new QueuePipeline(("Url", "amqp://a"), ("Instances:orders:Url", "amqp://c"), ("Instances:orders:Topics:0", "y"), ("Instances:orders:Login:Tries", "9"));
        var first = pipeline.SinkOf("default");
        first.Before = static _ => throw new LogSinkException("refused", "nobody listens") { RetryDelay = TimeSpan.FromMinutes(1) };
        pipeline.Logger.LogInformation("one");
        await Eventually.Holds(() => pipeline.Status.LastError is not null);
        pipeline.Edit(($"Logging:Queue:{key}", value));
        pipeline.Logger.LogInformation("two");
        Assert.True(await pipeline.Flush());

        var second = pipeline.SinkOf("default");
        Assert.NotSame(first, second);
        Assert.Equal(["one", "two"], second.Lines);
        Assert.Empty(first.Lines);
        Counters.AssertAddUp(pipeline.Status, 2);
        Assert.Equal(key == "Url" ? "amqp://b" : "amqp://a", pipeline.Status.Target);
        // The other instance overrides the address. Objects and lists are compared by their text in configuration, of which the inherited text is a part.
        Assert.Equal(sinks, pipeline.Sinks.Count);
    }

    [Fact]
    public async Task A_change_of_an_option_that_every_sink_has_keeps_the_sink()
    {
        using var pipeline = new QueuePipeline(
            static (builder, pipeline) => builder.AddAsyncLogSink<QueueSink, QueueSinkOptions>(
                pipeline.Create, static (section, options) => section.Bind(options), static options => (options.Connected, options.Login) = (() => { }, new QueueLogin { User = "code" })),
            more: null,
            ("Topics:0", "x"), ("Login:Tries", "4"));
        pipeline.Edit(("MaxLevel", "Error"), ("MaxQueueLength", "50"));
        pipeline.Edit(("Template", "2 {Message}{NewLine}"));
        pipeline.Logger.LogCritical("zero");
        pipeline.Logger.LogInformation("one");
        Assert.True(await pipeline.Flush());
        Assert.Equal(["2 one"], Assert.Single(pipeline.Sinks).Lines);
        Assert.Equal(50, pipeline.Status.QueueCapacity);
    }

    [Fact]
    public async Task A_reload_that_does_not_bind_keeps_the_last_good_options_and_is_reported()
    {
        using var pipeline = new QueuePipeline(("Port", "7"));
        pipeline.Edit(("Port", "many"), ("Url", "amqp://b"));
        pipeline.Logger.LogInformation("one");
        Assert.True(await pipeline.Flush());
        var kept = Assert.Single(pipeline.Sinks).Options;
        Assert.Equal((7, null), (kept.Port, kept.Url));
        Assert.Contains("Logging:Queue:Port 'many' is not valid: expected a whole number", pipeline.Status.ConfigurationProblem, StringComparison.Ordinal);
        Assert.Contains("Logging:Queue:Port 'many' is not valid: expected a whole number", pipeline.Said, StringComparison.Ordinal);
        pipeline.Edit(("Port", "8"));
        Assert.Null(pipeline.Status.ConfigurationProblem);
        Assert.Equal((8, "amqp://b"), (pipeline.SinkOf("default").Options.Port, pipeline.SinkOf("default").Options.Url));
    }

    [Fact]
    public void Everything_that_does_not_bind_stops_the_start_in_one_message_that_names_key_value_and_cure()
    {
        var failures = Failures(
            ("Port", "many"), ("Mode", "Fanuot"), ("Durable", "yes"), ("Timeout", "5 seconds"), ("Limit", "0"), ("Login:Tries", "some"), ("ApiKey", "s3cret"), ("MaxQueueLength", "few"),
            ("Instances:orders:Port", "1.5"));

        string[] starts =
        [
            "Logging:Queue:ApiKey '***' is not valid: expected a whole number; remove the key to use the default (",
            "Logging:Queue:Durable 'yes' is not valid: expected true or false; remove the key to use the default (",
            "Logging:Queue:Instances:orders:Port '1.5' is not valid: expected a whole number; remove the key to use the default (",
            "Logging:Queue:Limit '0' is not valid: must be at least 1; remove the key to use the default",
            "Logging:Queue:Login is not valid: Failed to convert configuration value 'some' at 'Logging:Queue:Login:Tries' to type 'System.Int32'; remove the key to use the default",
            "Logging:Queue:MaxQueueLength 'few' is not valid: expected a whole number",
            "Logging:Queue:Mode 'Fanuot' is not valid: expected Direct or Fanout; remove the key to use the default (",
            "Logging:Queue:Port 'many' is not valid: expected a whole number; remove the key to use the default (Failed to convert configuration value 'many' at 'Logging:Queue:Port' to type 'System.Int32')",
            "Logging:Queue:Timeout '5 seconds' is not valid: expected a time such as 00:00:05; remove the key to use the default (",
        ];
        Assert.Equal(starts.Length, failures.Length);
        Assert.All(starts.Zip(failures), static pair => Assert.StartsWith(pair.First, pair.Second, StringComparison.Ordinal));
        Assert.EndsWith("; did you mean 'Fanout'?", failures[6], StringComparison.Ordinal);
        Assert.DoesNotContain("s3cret", string.Concat(failures), StringComparison.Ordinal);
    }

    [Fact]
    public void A_binder_that_fails_with_all_keys_only_is_named_by_its_section()
        => Assert.Equal(["Logging:Queue is not valid: Url and Port do not fit"], Failures(
            static (section, options) =>
            {
                section.Bind(options);
                if (options is { Url: not null, Port: 7 })
                    throw new InvalidDataException("Url and Port do not fit.");
            },
            ("Url", "amqp://a"), ("Port", "7")));

    [Fact]
    public void The_binder_sees_no_key_that_AsyncLog_reads()
    {
        List<string> seen = [];
        using var pipeline = new QueuePipeline(
            (builder, pipeline) => builder.AddAsyncLogSink<QueueSink, QueueSinkOptions>(
                pipeline.Create, (section, _) => seen.AddRange(section.GetChildren().Select(static child => $"{child.Path}={child.Value}"))),
            more: null,
            ("LogLevel:Default", "Debug"), ("MaxQueueLength", "9"), ("Url", "a"), ("Instances:orders:Port", "1"), ("Instances:orders:MaxLevel", "Error"));
        Assert.Equal(["Logging:Queue:Instances:orders:Port=1", "Logging:Queue:Url=a"], seen.Distinct().Order(StringComparer.Ordinal));
    }

    [Fact]
    public void A_key_that_is_no_option_is_reported_with_the_name_that_was_meant()
    {
        using var pipeline = new QueuePipeline(("Ulr", "a"), ("Instances:orders:Channel", "b"), ("HasUrl", "true"));
        Assert.Contains("Logging:Queue:Ulr is not a known option; did you mean 'Url'?", pipeline.Said, StringComparison.Ordinal);
        Assert.Contains("Logging:Queue:Instances:orders:Channel is not a known option", pipeline.Said, StringComparison.Ordinal);
        Assert.Contains("Logging:Queue:HasUrl is not a known option", pipeline.Said, StringComparison.Ordinal);
        Assert.Equal(["Logging:Queue:HasUrl is not a known option", "Logging:Queue:Ulr is not a known option; did you mean 'Url'?"], Failures(("Ulr", "a"), ("HasUrl", "true"), ("AsyncLog:Strict", "true")));
    }

    [Fact]
    public void A_validator_of_the_application_checks_each_instance()
        => Assert.Equal(
            ["orders: Url is required"],
            Failures(static builder => builder.Services.AddSingleton<IValidateOptions<QueueSinkOptions>, NeedsUrl>(), ("Main", "false"), ("Instances:orders:Port", "1"), ("Instances:good:Url", "a")));

    [Fact]
    public void The_application_reads_its_options_in_force()
    {
        using var pipeline = new QueuePipeline(("Port", "7"), ("Instances:orders:Url", "a"));
        var monitor = pipeline.Services.GetRequiredService<IOptionsMonitor<QueueSinkOptions>>();
        Assert.Equal((7, null), (monitor.CurrentValue.Port, monitor.CurrentValue.Url));
        Assert.Equal((7, "a"), (monitor.Get("orders").Port, monitor.Get("orders").Url));
        pipeline.Edit(("Port", "8"));
        Assert.Equal((8, 8), (monitor.CurrentValue.Port, monitor.Get("orders").Port));
    }

    [Fact]
    public async Task What_the_application_changes_in_the_options_that_it_was_given_changes_no_instance()
    {
        using var pipeline = new QueuePipeline(
            ("Url", "a"), ("Port", "7"), ("Topics:0", "x"), ("Labels:site", "north"), ("Hosts:0", "h"), ("Format", "Json"), ("Template", null), ("Properties:App", "shop"),
            ("LogLevel:Default", "Information"), ("ReservedPercentage", "20"), ("Instances:orders:LogLevel:Default", "Information"));
        using var scope = pipeline.Services.CreateScope();
        var monitor = scope.ServiceProvider.GetRequiredService<IOptionsMonitor<QueueSinkOptions>>();
        var snapshot = scope.ServiceProvider.GetRequiredService<IOptionsSnapshot<QueueSinkOptions>>();
        QueueSinkOptions[] given =
            [scope.ServiceProvider.GetRequiredService<IOptions<QueueSinkOptions>>().Value, monitor.CurrentValue, monitor.Get("orders"), snapshot.Value, snapshot.Get("orders")];
        foreach (var options in given)
        {
            AssertAsConfigured(options);
            options.LogLevel["Default"] = LogLevel.None;
            options.MaxLevel = LogLevel.Debug;
            options.Properties["App"] = "other";
            options.ReservedPercentage = 30;
            (options.Enabled, options.Url, options.Port, options.Hosts[0]) = (false, "b", 8, "i");
            options.Topics.Add("y");
            options.Labels["site"] = "south";
        }

        pipeline.Logger.LogInformation("one");
        Assert.True(await pipeline.Flush());
        pipeline.Edit(("ShutdownTimeout", "9s"));
        pipeline.Logger.LogInformation("two");
        Assert.True(await pipeline.Flush());

        Assert.Equal(2, pipeline.Sinks.Count);
        foreach (var sink in pipeline.Sinks)
        {
            AssertAsConfigured(sink.Options);
            Assert.Equal(2, sink.Lines.Length);
            Assert.All(sink.Lines, static line => Assert.Contains("\"App\":\"shop\"", line, StringComparison.Ordinal));
        }

        AssertAsConfigured(monitor.CurrentValue);
        Assert.Equal(TimeSpan.FromSeconds(9), monitor.Get("orders").ShutdownTimeout);

        static void AssertAsConfigured(QueueSinkOptions options)
        {
            Assert.Equal((true, "a", 7, 20, null), (options.Enabled, options.Url, options.Port, options.ReservedPercentage, options.MaxLevel));
            Assert.Equal([new("Default", LogLevel.Information)], options.LogLevel);
            Assert.Equal([new("App", "shop")], options.Properties);
            Assert.Equal(["x"], options.Topics);
            Assert.Equal([new("site", "north")], options.Labels);
            Assert.Equal(["h"], options.Hosts);
        }
    }

    [Fact]
    public void A_sink_without_an_alias_and_an_alias_or_options_of_another_sink_are_refused()
    {
        Assert.Equal(
            "AsyncLog.Tests.Hosting.NamelessSink needs an alias of letters, digits, '_', '.' or '-': put [ProviderAlias(\"Queue\")] on the class."
            + " It names the section Logging:Queue and the instance queue/default.",
            Refused(static builder => builder.AddAsyncLogSink<NamelessSink, OtherQueueOptions>(static (_, _) => new NamelessSink(), static (_, _) => { })));
        Assert.Equal(
            "The alias of AsyncLog.Tests.Hosting.OtherQueueSink, queue, belongs to AsyncLog.Tests.Hosting.QueueSink with the section Logging:Queue: give the class another alias.",
            Refused(static builder => builder.AddAsyncLogSink<OtherQueueSink, OtherQueueOptions>(static (_, _) => new OtherQueueSink(), static (_, _) => { })));
        Assert.Equal(
            "AsyncLog.Tests.Hosting.QueueSinkOptions belongs to AsyncLog.Tests.Hosting.QueueSink; AsyncLog.Tests.Hosting.OtherQueueSink needs its own options class.",
            Refused(static builder => builder.AddAsyncLogSink<OtherQueueSink, QueueSinkOptions>(static (_, _) => new OtherQueueSink(), static (_, _) => { })));
        Assert.Throws<ArgumentNullException>(static () => new QueuePipeline(static (builder, _) => builder.AddAsyncLogSink<QueueSink, QueueSinkOptions>(null!, static (_, _) => { }), more: null));
        Assert.Throws<ArgumentNullException>(static () => new QueuePipeline(static (builder, pipeline) => builder.AddAsyncLogSink<QueueSink, QueueSinkOptions>(pipeline.Create, bind: null!), more: null));

        static string Refused(Action<ILoggingBuilder> more) => Assert.Throws<InvalidOperationException>(() => new QueuePipeline(more)).Message;
    }

    [Fact]
    public async Task It_logs_from_before_the_host_on()
    {
        var configuration = MemorySource.Build([("Logging:Queue:Url", "amqp://a"), ("Logging:Queue:Template", "{Message}{NewLine}"), ("Logging:Queue:LogLevel:Default", "Warning"), ("AsyncLog:StartupReport", "false")]);
        List<QueueSink> sinks = [];
        using var startup = AsyncLogBootstrap.Create(configuration, logging => logging.AddAsyncLogSink<QueueSink, QueueSinkOptions>(
            (options, context) =>
            {
                sinks.Add(new QueueSink(options, context));
                return sinks[^1];
            },
            bind: static (section, options) => section.Bind(options)));
        startup.CreateLogger("Startup").LogInformation("zero");
        startup.CreateLogger("Startup").LogWarning("one");
        await using var services = new ServiceCollection().AddSingleton<IConfiguration>(configuration)
            .AddLogging(builder => builder.AddConfiguration(configuration.GetSection("Logging")).AddAsyncLogBootstrap(startup)).BuildServiceProvider();
        services.GetRequiredService<ILoggerFactory>().CreateLogger("Shop").LogInformation("two");
        services.GetRequiredService<ILoggerFactory>().CreateLogger("Shop").LogWarning("three");
        Assert.True(await services.GetRequiredService<IAsyncLogControl>().FlushAsync(TimeSpan.FromSeconds(20), TestContext.Current.CancellationToken));
        Assert.Equal(["one", "three"], Assert.Single(sinks).Lines);
    }

    private static string[] Failures(params (string Key, string? Value)[] values) => Failures(static (section, options) => section.Bind(options), values);

    private static string[] Failures(Action<IConfiguration, QueueSinkOptions> bind, params (string Key, string? Value)[] values)
        => Sorted(() => new QueuePipeline((builder, pipeline) => builder.AddAsyncLogSink<QueueSink, QueueSinkOptions>(pipeline.Create, bind), more: null, values));

    private static string[] Failures(Action<ILoggingBuilder> more, params (string Key, string? Value)[] values) => Sorted(() => new QueuePipeline(more, values));

    private static string[] Sorted(Func<object> start) => [.. Assert.ThrowsAny<OptionsValidationException>(start).Failures.Order(StringComparer.Ordinal)];

    private sealed class NeedsUrl : IValidateOptions<QueueSinkOptions>
    {
        public ValidateOptionsResult Validate(string? name, QueueSinkOptions options)
            => options.Url is null ? ValidateOptionsResult.Fail($"{name}: Url is required") : ValidateOptionsResult.Success;
    }

    private sealed class UpperFormatter : ILogFormatter
    {
        public void Format(LogEvent logEvent, System.Buffers.IBufferWriter<byte> output) => System.Buffers.BuffersExtensions.Write(output, Encoding.UTF8.GetBytes(Encoding.UTF8.GetString(logEvent.Message).ToUpperInvariant() + "\n"));
    }
}
