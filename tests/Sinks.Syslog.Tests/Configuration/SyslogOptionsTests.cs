using System.Net;
using System.Net.Sockets;
using System.Runtime.CompilerServices;
using AsyncLog.Tests.Formatting;
using AsyncLog.Tests.Vectors;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace AsyncLog.Tests.Configuration;

public sealed class SyslogOptionsTests
{
    private const string Expected = "expected udp://host[:514], tcp://host[:514], tls://host[:6514] or unix:///path";

    [Fact]
    public void Without_a_section_there_is_one_receiver_with_the_defaults()
    {
        using var provider = SyslogProvider.Start([]);

        var options = Assert.Single(provider.Options, static pair => pair.Key == "syslog/default").Value;
        Assert.Equal("udp://localhost:514", options.Endpoint!.OriginalString);
        Assert.Equal(2048, options.MaxMessageSize);
        Assert.Equal(TimeSpan.FromSeconds(1), SyslogDefaults.SendTimeoutOf(options));
        Assert.Equal("Rfc5424", options.Format);
        Assert.Equal(SyslogFacility.User, options.Facility);
        Assert.True(options.UseUtcTimestamp);
        Assert.Equal(Environment.ProcessId.ToString(System.Globalization.CultureInfo.InvariantCulture), options.ProcId);
        Assert.Equal(Dns.GetHostName().Split('.')[0], options.HostName!.Split('.')[0]);
        Assert.NotEmpty(options.AppName!);
    }

    [Fact]
    public void Without_an_endpoint_the_socket_of_the_local_daemon_is_used_where_there_is_one()
    {
        using var provider = new StartedProvider<AsyncSyslogLoggerProvider, AsyncSyslogLoggerOptions>(
            static createSink => new SyslogSinkDefinition(createSink, new Uri("unix:///dev/log")), [("Logging:AsyncSyslog:Facility", "Local0")], configure: null);

        var options = provider.Options["syslog/default"];
        Assert.Equal(("unix:///dev/log", "Local", 8192), (options.Endpoint!.OriginalString, options.Format, options.MaxMessageSize));
    }

    [Fact]
    public void An_option_that_the_form_of_the_local_daemon_lacks_is_refused_with_what_to_set()
    {
        var exception = Assert.ThrowsAny<OptionsValidationException>(static () => new StartedProvider<AsyncSyslogLoggerProvider, AsyncSyslogLoggerOptions>(
            static createSink => new SyslogSinkDefinition(createSink, new Uri("unix:///dev/log")), [("Logging:AsyncSyslog:SequenceId", "true")], configure: null).Dispose());

        Assert.Contains(
            "Logging:AsyncSyslog:SequenceId 'true' is not valid: only with Format Rfc5424 (the default except with unix://)", exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    [OnLinux("local sockets for datagrams")]
    public void A_link_to_a_local_daemon_that_is_gone_is_no_socket_of_one()
    {
        var folder = Directory.CreateTempSubdirectory("alu-").FullName;
        var path = Path.Combine(folder, "log");
        var link = Path.Combine(folder, "link");
        Assert.Null(SyslogEndpoint.FindLocal(path));
        File.CreateSymbolicLink(link, path);
        Assert.Null(SyslogEndpoint.FindLocal(link));
        using (var daemon = new Socket(AddressFamily.Unix, SocketType.Dgram, ProtocolType.Unspecified))
        {
            daemon.Bind(new UnixDomainSocketEndPoint(path));
            Assert.Equal($"unix://{path}", SyslogEndpoint.FindLocal(path)!.OriginalString);
            Assert.Equal($"unix://{link}", SyslogEndpoint.FindLocal(link)!.OriginalString);
        }

        Directory.Delete(folder, recursive: true);
    }

    [Theory]
    [InlineData("tcp://h", 8096, 8102, "Rfc5424")]
    [InlineData("tls://h:6515", 8096, 8102, "Rfc5424")]
    [InlineData("unix:///dev/log", 8192, 8192, "Local")]
    [InlineData("udp://[::1]:1514", 2048, 2048, "Rfc5424")]
    public void Limit_and_form_follow_from_the_scheme(string endpoint, int limit, int record, string format)
    {
        using var provider = SyslogProvider.Start([("Endpoint", endpoint)]);

        var options = provider.Options["syslog/default"];
        Assert.Equal((limit, record, format), (options.MaxMessageSize!.Value, options.MaxRecordSize, options.Format!));
        Assert.Equal(TimeSpan.FromSeconds(endpoint.StartsWith('t') ? 30 : 1), SyslogDefaults.SendTimeoutOf(options));
    }

    [Theory]
    [InlineData("tls://siem.example.com:6514", SyslogFraming.OctetCounting, "rfc5424, octet counting, facility User")]
    [InlineData("tcp://h", SyslogFraming.LineFeed, "rfc5424, line feed framing, facility User")]
    [InlineData("udp://h", SyslogFraming.OctetCounting, "rfc5424, facility User")]
    public void The_start_up_line_names_form_framing_and_facility(string endpoint, SyslogFraming framing, string summary)
        => Assert.Equal(summary, new SyslogSinkDefinition().Summarize(new AsyncSyslogLoggerOptions { Endpoint = new Uri(endpoint), Framing = framing, Format = "Rfc5424" }));

    [Fact]
    public void The_older_form_has_a_smaller_limit()
    {
        using var provider = SyslogProvider.Start([("Endpoint", "tcp://h"), ("Format", "rfc3164"), ("Framing", "LineFeed")]);

        Assert.Equal((1024, 1025), (provider.Options["syslog/default"].MaxMessageSize!.Value, provider.Options["syslog/default"].MaxRecordSize));
    }

    [Theory]
    [InlineData(null)]
    [InlineData("shop.example.com")]
    public void The_older_form_leaves_the_domain_out_of_the_machines_name_and_not_out_of_one_that_is_set(string? name)
    {
        using var provider = SyslogProvider.Start(name is null ? [("Format", "Rfc3164")] : [("Format", "Rfc3164"), ("HostName", name)]);

        Assert.Equal(name ?? Dns.GetHostName().Split('.')[0], provider.Options["syslog/default"].HostName);
    }

    [Theory]
    [InlineData("514", SyslogFacility.User, false)]
    [InlineData("13", SyslogFacility.Audit, true)]
    [InlineData("LogAudit", SyslogFacility.Audit, true)]
    [InlineData("LOG_LOCAL7", SyslogFacility.Local7, true)]
    [InlineData("authpriv", SyslogFacility.AuthPriv, true)]
    [InlineData("0", SyslogFacility.Kern, true)]
    [InlineData("23", SyslogFacility.Local7, true)]
    [InlineData("24", SyslogFacility.User, false)]
    [InlineData("-1", SyslogFacility.User, false)]
    [InlineData("none", SyslogFacility.User, false)]
    public void A_facility_is_a_keyword_in_any_case_or_a_number(string text, SyslogFacility facility, bool isValid)
    {
        var parsed = SyslogFacilityText.Parse(text);

        Assert.Equal(isValid, parsed.IsValid);
        if (isValid)
            Assert.Equal(facility, parsed.Value);
    }

    [Theory]
    [InlineData("http://h", Expected)]
    [InlineData("host:514", Expected + "; did you mean udp://host:514?")]
    [InlineData("10.1.2.3:514", Expected + "; did you mean udp://10.1.2.3:514?")]
    [InlineData("loghost", Expected + "; did you mean udp://loghost?")]
    [InlineData("not a uri", Expected + ", with a port from 1 to 65535")]
    [InlineData("tcp://user:secret@h", "must not contain a user or password")]
    [InlineData("tcp://h?x=1", "must not contain a query or fragment")]
    [InlineData("tcp://h/path", "must not contain a path")]
    [InlineData("unix://dev/log", "must have three slashes before the path: unix:///path")]
    [InlineData("unix:///", "must name the path of a socket: unix:///path")]
    [InlineData("udp://h:0", "must have a port from 1 to 65535")]
    [InlineData("tcp://h:99999", Expected + ", with a port from 1 to 65535")]
    public void A_bad_endpoint_is_told_what_is_right(string endpoint, string rule)
    {
        var shown = endpoint.Replace("user:secret@", "***@", StringComparison.Ordinal);

        Assert.Contains($"Logging:AsyncSyslog:Endpoint '{shown}' is not valid: {rule}", Failures(("Endpoint", endpoint)));
    }

    [Theory]
    [InlineData("Host")]
    [InlineData("Port")]
    [InlineData("Protocol")]
    [InlineData("Address")]
    [InlineData("RemoteAddress")]
    [InlineData("RemotePort")]
    [InlineData("Url")]
    public void The_parts_of_an_address_in_other_libraries_are_answered_with_Endpoint(string key) => Assert.Contains(
        $"Logging:AsyncSyslog:{key} is not a known option; did you mean 'Endpoint'?", Refused((key, "x"), ("Facility", "local9")), StringComparison.Ordinal);

    [Theory]
    [InlineData('p', 106, true)]
    [InlineData('p', 107, false)]
    [InlineData('ü', 53, true)]
    [InlineData('ü', 54, false)]
    public void A_path_longer_than_the_address_of_a_local_socket_is_refused(char letter, int letters, bool isValid)
    {
        var endpoint = $"unix:///{new string(letter, letters)}";

        if (isValid)
            SyslogProvider.Start([("Endpoint", endpoint)]).Dispose();
        else
            Assert.Contains("at most 107 bytes in UTF-8", Refused(("Endpoint", endpoint)), StringComparison.Ordinal);
    }

    [Fact]
    public void Numbers_that_do_not_fit_the_form_are_refused_in_the_same_place_and_not_inherited()
    {
        using var provider = SyslogProvider.Start([("Endpoint", "tcp://h"), ("SequenceId", "true"), ("Servers:older:Format", "Rfc3164")]);

        Assert.True(provider.Options["syslog/default"].SequenceId);
        Assert.False(provider.Options["syslog/older"].SequenceId);
        Assert.Contains("only with Format Rfc5424", Refused(("Format", "Rfc3164"), ("SequenceId", "true")), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("EnterpriseNumber", "1.", "expected a private enterprise number: digits, or groups of digits joined by dots")]
    [InlineData("EnterpriseNumber", "1..2", "expected a private enterprise number: digits, or groups of digits joined by dots")]
    [InlineData("MaxMessageSize", "479", "must be from 480B to 64KB")]
    [InlineData("MaxQueueMemory", "1KB", "must be at least 4 x Max")]
    [InlineData("ReconnectDelay", "31s", "must be more than 0 and at most 30s")]
    [InlineData("ConnectTimeout", "3m", "must be from 100ms to 2m")]
    [InlineData("Severity:Loud", "1", "expected Trace, Debug, Information, Warning, Error or Critical")]
    [InlineData("Severity:Error", "x", "must be from 0 to 7")]
    [InlineData("ResendAcknowledgedWindow", "true", "only with tcp:// or tls://")]
    [InlineData("Framing", "OctetCounting", "OctetCounting is possible with tcp:// and tls://, LineFeed with tcp:// only")]
    [InlineData("Tls:CaFile", "/ca.pem", "only with tls://")]
    [InlineData("Format", "Json", "expected Rfc5424, Rfc3164 or Local")]
    [InlineData("MsgId", "Name", "expected EventName, EventId, Category or Nil")]
    public void A_broken_rule_is_told_with_key_and_value(string key, string value, string rule) =>
        Assert.Contains(
            Failures((key, value)), failure => failure.StartsWith($"Logging:AsyncSyslog:{key} '{value}' is not valid: {rule}", StringComparison.Ordinal));

    [Fact]
    public void A_header_that_takes_half_of_the_limit_is_refused()
    {
        var host = new string('h', 200);

        Assert.Contains(
            "Logging:AsyncSyslog:MaxMessageSize '480' is not valid: the fixed header of a record must not take more than half of it: "
            + "raise it, or shorten HostName or AppName",
            Refused(("HostName", host), ("MaxMessageSize", "480")), StringComparison.Ordinal);
        SyslogProvider.Start([("HostName", host), ("MaxMessageSize", "700")]).Dispose();
    }

    [Theory]
    [InlineData("Tls:CaFil")]
    [InlineData("Tls:DangerousAcceptAnyServerCertificate")]
    public void An_unknown_key_below_Tls_stops_the_start(string key) =>
        Assert.Contains($"Logging:AsyncSyslog:{key} is not a known option", Refused(("Endpoint", "tls://h"), (key, "true")), StringComparison.Ordinal);

    [Fact]
    public void A_password_is_not_shown()
    {
        var message = Refused(("Endpoint", "tcp://h"), ("Tls:ClientKeyPassword", "secret"));

        Assert.Contains("Tls:ClientKeyPassword '***'", message, StringComparison.Ordinal);
        Assert.DoesNotContain("secret", message, StringComparison.Ordinal);
    }

    [Fact]
    public void Named_servers_inherit_the_section_and_maps_merge()
    {
        using var provider = SyslogProvider.Start(
        [
            ("Endpoint", "tcp://siem"), ("Framing", "LineFeed"), ("Severity:Critical", "1"), ("Properties:site", "{EnvironmentName}-1"), ("MaxMessageSize", "65536"),
            ("Servers:audit:Facility", "LogAudit"), ("Servers:audit:Severity:Error", "2"), ("Servers:audit:Properties:team", "a"),
            ("Servers:near:Endpoint", "udp://near"),
        ]);

        Assert.Equal(["syslog/audit", "syslog/default", "syslog/near"], provider.Options.Keys.Order(StringComparer.Ordinal));
        var audit = provider.Options["syslog/audit"];
        Assert.Equal(("tcp://siem", SyslogFacility.Audit, SyslogFraming.LineFeed), (audit.Endpoint!.OriginalString, audit.Facility, audit.Framing));
        Assert.Equal((1, 2), (audit.Severity[LogLevel.Critical], audit.Severity[LogLevel.Error]));
        Assert.Equal(("{EnvironmentName}-1", "a"), (audit.Properties["site"], audit.Properties["team"]));
        // What does not fit the own scheme was meant for the parent's.
        var near = provider.Options["syslog/near"];
        Assert.Equal((SyslogFraming.OctetCounting, 2048), (near.Framing, near.MaxMessageSize!.Value));
        // What a server adds is its own.
        var main = provider.Options["syslog/default"];
        Assert.Equal((SyslogFacility.User, SyslogFacility.User), (main.Facility, near.Facility));
        Assert.Equal([LogLevel.Critical], main.Severity.Keys);
        Assert.Equal([LogLevel.Critical], near.Severity.Keys);
        Assert.Equal(["site"], main.Properties.Keys);
        Assert.Equal(["site"], near.Properties.Keys);
    }

    [Fact]
    public async Task Tokens_of_constant_properties_are_expanded()
    {
        using var harness = new SyslogHarness(static options =>
        {
            VectorOptions.Set(options, null);
            options.Properties["site"] = "{EnvironmentName}-{Instance}";
        });
        harness.Logger().LogInformation("m");

        Assert.Equal("Production-default", Rfc5424Parser.Parse(Assert.Single(await harness.TakeAsync())).Value("prop@32473", "site"));
    }

    [Fact]
    public void Accepting_any_certificate_warns_at_every_start()
    {
        for (var start = 1; start <= 2; start++)
        {
            using var provider = SyslogProvider.Start(
                [("Servers:unverified:Endpoint", "tls://h"), ("Servers:unverified:EnterpriseNumber", "55555.1")],
                static options => options.Tls.DangerousAcceptAnyServerCertificate = true);

            var warnings = StandardError.LinesWith("syslog/unverified");
            Assert.Equal(start, warnings.Length);
            Assert.Contains("certificate", warnings[^1], StringComparison.Ordinal);
        }
    }

    [Fact]
    public void The_number_for_documentation_is_reported_once_in_a_process()
    {
        var hasWarned = new StrongBox<bool>();
        for (var host = 0; host < 3; host++)
        {
            using var provider = new StartedProvider<AsyncSyslogLoggerProvider, AsyncSyslogLoggerOptions>(
                createSink => new SyslogSinkDefinition(createSink, hasWarned: hasWarned),
                [
                    ("Logging:AsyncSyslog:Main", "false"),
                    ("Logging:AsyncSyslog:Servers:own-number:EnterpriseNumber", "55555"),
                    ("Logging:AsyncSyslog:Servers:numberless1:Facility", "1"),
                    ("Logging:AsyncSyslog:Servers:numberless2:Facility", "1"),
                ],
                configure: null);
        }

        Assert.Contains("set your own", Assert.Single(StandardError.LinesWith("syslog/numberless")), StringComparison.Ordinal);
        Assert.Empty(StandardError.LinesWith("syslog/own-number"));
    }

    [Fact]
    public void Layouts_of_equal_options_are_equal()
    {
        var one = SyslogLayout.From(Options());
        var other = SyslogLayout.From(Options());

        Assert.Equal(one, other);
        Assert.Equal(one.GetHashCode(), other.GetHashCode());
        Assert.NotEqual(one, other with { Facility = SyslogFacility.Local0 });
        Assert.NotEqual(one, SyslogLayout.From(Options(), [new("site", "c")]));

        static AsyncSyslogLoggerOptions Options()
        {
            var options = new AsyncSyslogLoggerOptions { AppName = "a" };
            options.Severity[LogLevel.Critical] = 1;
            return options;
        }
    }

    private static string Refused(params (string Key, string? Value)[] values) => Exception(values).Message;

    private static IEnumerable<string> Failures(params (string Key, string? Value)[] values) => Exception(values).Failures;

    private static OptionsValidationException Exception((string Key, string? Value)[] values) =>
        Assert.ThrowsAny<OptionsValidationException>(() => SyslogProvider.Start(values).Dispose());
}
