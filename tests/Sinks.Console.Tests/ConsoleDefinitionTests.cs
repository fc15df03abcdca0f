using System.Diagnostics;
using System.Globalization;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests;

/// <summary>What is written where: formats and colours by the kind of stream, variables and options.</summary>
public sealed class ConsoleDefinitionTests
{
    private const string Time = @"\d\d:\d\d:\d\d\.\d{3}";
    private const string FullTime = @"\d{4}-\d\d-\d\d " + Time + @" [+-]\d\d:\d\d";

    [Fact]
    public void On_a_terminal_a_line_is_short_and_its_level_coloured()
    {
        using var terminal = Descriptors.Terminal();
        Assert.Matches("^" + Time + @" \x1b\[32mINF\x1b\[0m Orders: hello\r\n$", Logged(terminal, static logger => logger.LogInformation("hello")));
        Assert.Matches(@" \x1b\[1;33mWRN\x1b\[0m ", Logged(terminal, static logger => logger.LogWarning("hello")));
        Assert.Matches(@" \x1b\[30;41mERR\x1b\[0m ", Logged(terminal, static logger => logger.LogError("hello")));
        Assert.Matches(@" \x1b\[1;37;41mCRT\x1b\[0m ", Logged(terminal, static logger => logger.LogCritical("hello")));
    }

    [Fact]
    public void Where_no_terminal_is_a_line_is_that_of_a_file()
    {
        using var pipe = Descriptors.Pipe();
        Assert.Matches("^" + FullTime + @" \[INF\] Shop\.Orders: hello\n$", Logged(pipe, static logger => logger.LogInformation("hello")));
    }

    [Fact]
    public void In_the_journal_a_line_begins_with_its_severity()
    {
        using var socket = Descriptors.Socket();
        var journal = ("JOURNAL_STREAM", DeviceAndInode(socket.Write));
        Assert.Equal("<6>Shop.Orders[7] hello\n", Logged(socket, static logger => logger.LogInformation(7, "hello"), journal));
        Assert.Equal("<7>Shop.Orders[0] hello\n", Logged(socket, static logger => logger.LogTrace("hello"), journal, ("Logging:LogLevel:Default", "Trace")));
        Assert.Equal("<4>Shop.Orders[0] hello\n", Logged(socket, static logger => logger.LogWarning("hello"), journal));
        Assert.Equal("<2>Shop.Orders[0] hello\n", Logged(socket, static logger => logger.LogCritical("hello"), journal));
        Assert.Equal("<3>Shop.Orders[0] two\\nlines System.FormatException: worse\n", Logged(socket, static logger => logger.LogError(new FormatException("worse"), "two\nlines"), journal));
    }

    [Fact]
    public void A_stream_that_is_not_the_journal_is_not_taken_for_it()
    {
        using var socket = Descriptors.Socket();
        using var other = Descriptors.Socket();
        Assert.Matches("^" + FullTime, Logged(socket, static logger => logger.LogInformation("hello"), ("JOURNAL_STREAM", DeviceAndInode(other.Write))));
        Assert.Matches("^" + FullTime, Logged(socket, static logger => logger.LogInformation("hello"), ("JOURNAL_STREAM", "nonsense")));
    }

    [Theory]
    [InlineData("Json", "^{\"Timestamp\":")]
    [InlineData("clef", "^{\"@t\":")]
    [InlineData("Systemd", "^<6>Shop.Orders\\[0\\] hello\n$")]
    [InlineData("Text", "^" + FullTime)]
    public void Format_is_chosen_by_name(string format, string expected)
    {
        using var pipe = Descriptors.Pipe();
        Assert.Matches(expected, Logged(pipe, static logger => logger.LogInformation("hello"), ("Logging:AsyncConsole:Format", format)));
    }

    [Fact]
    public void A_template_replaces_what_follows_the_severity()
    {
        using var pipe = Descriptors.Pipe();
        Assert.Equal(
            "<6>hello|\n",
            Logged(pipe, static logger => logger.LogInformation("hello"), ("Logging:AsyncConsole:Format", "Systemd"), ("Logging:AsyncConsole:Template", "{Message}|{NewLine}")));
    }

    [Fact]
    public void Scopes_follow_the_message_where_they_are_included()
    {
        using var pipe = Descriptors.Pipe();
        (string, string)[] scopes = [("Logging:AsyncConsole:IncludeScopes", "true"), ("Logging:AsyncConsole:Format", "Systemd")];
        Assert.Equal("<6>Shop.Orders[0] hello => outer\n", Logged(pipe, LogInScope, scopes));

        static void LogInScope(ILogger logger)
        {
            using (logger.BeginScope("outer"))
                logger.LogInformation("hello");
        }
    }

    [Theory]
    [InlineData("terminal", "", "", "", true)]
    [InlineData("terminal", "", "NO_COLOR", "1", false)]
    [InlineData("terminal", "", "NO_COLOR", "", true)]
    [InlineData("terminal", "", "TERM", "dumb", false)]
    [InlineData("terminal", "Never", "", "", false)]
    [InlineData("terminal", "Always", "NO_COLOR", "1", true)]
    [InlineData("pipe", "", "", "", false)]
    [InlineData("pipe", "Always", "", "", true)]
    [InlineData("pipe", "", "DOTNET_SYSTEM_CONSOLE_ALLOW_ANSI_COLOR_REDIRECTION", "1", true)]
    [InlineData("pipe", "", "DOTNET_SYSTEM_CONSOLE_ALLOW_ANSI_COLOR_REDIRECTION", "true", true)]
    [InlineData("pipe", "", "DOTNET_SYSTEM_CONSOLE_ALLOW_ANSI_COLOR_REDIRECTION", "0", false)]
    public void Colours_follow_the_stream_the_variables_and_the_option(string kind, string color, string variable, string value, bool isColored)
    {
        using var descriptors = kind == "pipe" ? Descriptors.Pipe() : Descriptors.Terminal();
        List<(string, string)> settings = [];
        if (color.Length > 0)
            settings.Add(("Logging:AsyncConsole:Color", color));
        if (variable.Length > 0)
            settings.Add((variable, value));

        var text = Logged(descriptors, static logger => logger.LogInformation("hello"), [.. settings]);

        Assert.Equal(isColored, text.Contains("\e[32mINF\e[0m", StringComparison.Ordinal));
        Assert.Equal(isColored, text.Contains('\e', StringComparison.Ordinal));
    }

    [Fact]
    public void Escape_sequences_of_values_are_escaped_also_where_levels_are_coloured()
    {
        using var terminal = Descriptors.Terminal();
        var text = Logged(terminal, static logger => logger.LogInformation("hello {Name}", "\e[2J\nX"));
        Assert.EndsWith("hello \\u001b[2J\\nX\r\n", text, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("ErrorLevel", "Erorr", "expected Trace, Debug, Information, Warning, Error, Critical or None; did you mean 'Error'?")]
    [InlineData("Color", "Sometimes", "expected Auto, Always or Never")]
    [InlineData("Format", "Simple", "expected Text, Json, Clef or Systemd; did you mean 'Text'?")]
    public void A_wrong_value_is_answered_with_key_value_and_what_is_allowed(string key, string value, string allowed)
    {
        using var pipe = Descriptors.Pipe();
        var failure = Assert.ThrowsAny<Exception>(() => Logged(pipe, static _ => { }, ($"Logging:AsyncConsole:{key}", value)));
        Assert.Equal($"Logging:AsyncConsole:{key} '{value}' is not valid: {allowed}", failure.Message);
    }

    [Fact]
    public void A_named_stream_has_levels_and_a_format_of_its_own()
    {
        using var output = Descriptors.Pipe();
        using var error = Descriptors.Pipe();
        Log(
            stream => Descriptors.StreamOf(stream == ConsoleStream.Error ? error : output),
            static logger =>
            {
                logger.LogInformation("fine");
                logger.LogError("bad");
            },
            ("Logging:AsyncConsole:MaxLevel", "Warning"),
            ("Logging:AsyncConsole:Streams:errors:ErrorLevel", "Trace"),
            ("Logging:AsyncConsole:Streams:errors:MaxLevel", ""),
            ("Logging:AsyncConsole:Streams:errors:Format", "Systemd"),
            ("Logging:AsyncConsole:Streams:errors:LogLevel:Default", "Error"));
        Assert.Matches("^" + FullTime + @" \[INF\] Shop\.Orders: fine\n\z", output.ReadSome());
        Assert.Equal("<3>Shop.Orders[0] bad\n", error.ReadSome());
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void The_console_provider_of_NET_beside_it_is_warned_about(bool isFirst)
    {
        using var pipe = Descriptors.Pipe();
        var heard = StandardError.Hear();
        var services = new ServiceCollection();
        services.AddLogging(logging =>
        {
            if (isFirst)
                logging.AddConsole();
            AddTo(logging, _ => Descriptors.StreamOf(pipe));
            if (!isFirst)
                logging.AddConsole();
        });
        using (var provider = services.BuildServiceProvider())
        {
            provider.GetRequiredService<ILoggerFactory>();
            // The start waits at most a second for stderr.
            Eventually.True(() => StandardError.Copy(heard).Any(IsWarning));
        }

        Assert.EndsWith(
            " AsyncLog: warn console/default: The console provider of .NET is registered too and writes every line a second time: "
                + "call ClearProviders() before AddAsyncConsole().",
            Assert.Single(StandardError.Copy(heard), IsWarning), StringComparison.Ordinal);
    }

    [Fact]
    public void Alone_it_warns_of_nothing()
    {
        using var pipe = Descriptors.Pipe();
        var heard = StandardError.Hear();
        var text = Logged(pipe, static logger => logger.LogInformation("hello"), ("AsyncLog:SelfReportLevel", "Information"));
        Assert.EndsWith(" Shop.Orders: hello\n", text, StringComparison.Ordinal);
        // The line of the start comes last.
        Eventually.True(() => StandardError.Copy(heard).Any(static line => line.Contains(" AsyncLog: info ", StringComparison.Ordinal)));
        Assert.DoesNotContain(StandardError.Copy(heard), IsWarning);
    }

    private static bool IsWarning(string line) => line.Contains(" AsyncLog: warn ", StringComparison.Ordinal);

    /// <summary>What is written for one call.</summary>
    private static string Logged(Descriptors descriptors, Action<ILogger> log, params (string Key, string Value)[] settings)
    {
        Log(_ => Descriptors.StreamOf(descriptors), log, settings);
        return descriptors.ReadSome();
    }

    private static void Log(Func<ConsoleStream, StandardStream> open, Action<ILogger> log, params (string Key, string Value)[] settings)
    {
        // Without the line that names the instance.
        var configuration = new ConfigurationBuilder().AddInMemoryCollection([new("AsyncLog:StartupReport", "false")])
            .AddInMemoryCollection(settings.Select(static pair => KeyValuePair.Create(pair.Key, (string?)pair.Value))).Build();
        var services = new ServiceCollection().AddSingleton<IConfiguration>(configuration);
        services.AddLogging(logging => AddTo(logging.AddConfiguration(configuration.GetSection("Logging")), open));
        using var provider = services.BuildServiceProvider();
        log(provider.GetRequiredService<ILoggerFactory>().CreateLogger("Shop.Orders"));
    }

    private static void AddTo(ILoggingBuilder logging, Func<ConsoleStream, StandardStream> open) =>
        logging.AddSink<AsyncConsoleLoggerProvider, AsyncConsoleLoggerOptions>(AsyncConsoleLoggingBuilderExtensions.DefinitionFor(logging, open));

    private static string DeviceAndInode(int descriptor)
    {
        string[] arguments = ["-L", "-c", "%d:%i", string.Create(CultureInfo.InvariantCulture, $"/proc/{Environment.ProcessId}/fd/{descriptor}")];
        using var stat = Process.Start(new ProcessStartInfo("stat", arguments) { RedirectStandardOutput = true })!;
        return stat.StandardOutput.ReadToEnd().Trim();
    }
}
