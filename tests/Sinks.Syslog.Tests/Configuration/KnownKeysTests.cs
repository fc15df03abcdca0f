using System.Collections;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Configuration;

/// <summary>The names of all options, pinned: renaming one silently would turn off what it turned on.</summary>
public sealed class KnownKeysTests
{
    // Of every option a value that differs from its default, so that taking it can be seen; but framing over TLS has one value only.
    private static readonly (string Key, string Value)[] Options =
    [
        ("Endpoint", "tls://h:1"), ("Format", "Rfc5424"), ("Facility", "Local0"), ("Severity:Trace", "0"), ("AppName", "a"), ("HostName", "h"),
        ("MsgId", "Nil"), ("Framing", "OctetCounting"), ("MaxMessageSize", "1KB"), ("StructuredData", "false"),
        ("EnterpriseNumber", "1.2"),
        ("Bom", "true"), ("SequenceId", "true"), ("ConnectTimeout", "1s"),
        ("ReconnectDelay", "4s"), ("KeepAlive", "5s"),
        ("ResendAcknowledgedWindow", "true"), ("Properties:site", "a"), ("Tls:CaFile", "ca"),
        ("Tls:ClientCertificateFile", "c"), ("Tls:ClientKeyFile", "k"), ("Tls:ClientKeyPassword", "w"),
        ("Tls:ServerName", "n"), ("Tls:CheckRevocation", "true"),
        ("Tls:PinnedSha256", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"), ("UseUtcTimestamp", "false"), ("IncludeScopes", "false"), ("Template", "{Message}"),
    ];

    [Fact]
    public void Every_option_is_known_by_its_name()
    {
        using var provider = SyslogProvider.Start([.. Options.Select(static pair => ("Servers:known:" + pair.Key, (string?)pair.Value))]);

        Assert.Empty(StandardError.LinesWith("Servers:known"));
        var options = provider.Options["syslog/known"];
        var unset = new AsyncSyslogLoggerOptions();
        Assert.Equal(["Framing"], Options.Select(static option => option.Key).Where(key => Equals(ValueOf(unset, key), ValueOf(options, key))));
        Assert.Equal((SyslogFacility.Local0, 1024, false), (options.Facility, options.MaxMessageSize!.Value, options.StructuredData));
        Assert.Equal("1.2", options.EnterpriseNumber);
        Assert.Equal((true, true), (options.Bom, options.SequenceId));
        Assert.Equal(
            ((int[])[1, 4, 5]).Select(static seconds => TimeSpan.FromSeconds(seconds)),
            [options.ConnectTimeout, options.ReconnectDelay, options.KeepAlive!.Value]);
        Assert.Equal(("a", "h", "tls://h:1"), (options.AppName, options.HostName, options.Endpoint!.OriginalString));
        Assert.Equal((0, "a"), (options.Severity[LogLevel.Trace], options.Properties["site"]));
        Assert.Equal("{Message}", options.Template);
        Assert.Equal(("ca", "n", true), (options.Tls.CaFile, options.Tls.ServerName, options.Tls.CheckRevocation));
        Assert.Equal(("c", "k", "w"), (options.Tls.ClientCertificateFile, options.Tls.ClientKeyFile, options.Tls.ClientKeyPassword));
    }

    // The property that a key names; of a map, what it has under the rest of the key.
    private static object? ValueOf(object options, string key)
    {
        object? value = options;
        foreach (var part in key.Split(':'))
        {
            value = value switch
            {
                IDictionary map => map.Keys.Cast<object>().Where(name => name.ToString() == part).Select(name => map[name]).SingleOrDefault(),
                _ => value!.GetType().GetProperty(part)!.GetValue(value),
            };
        }

        return value;
    }

    [Fact]
    public void Every_property_of_the_options_is_in_the_list()
    {
        string[] codeOnly = ["DangerousAcceptAnyServerCertificate"];
        string[] elsewhere = ["Tls", "Severity", "Properties"];
        var known = Options.Select(static pair => pair.Key.Split(':')[^1]).ToArray();

        var properties = new[] { typeof(AsyncSyslogLoggerOptions), typeof(TlsClientOptions) }
            .SelectMany(static type => type.GetProperties().Where(property => property.DeclaringType == type)).Select(static property => property.Name);
        Assert.Empty(properties.Except(known).Except(codeOnly).Except(elsewhere));
    }

    [Theory]
    [InlineData("MaxRecordSize", "MaxMessageSize limits a record")]
    [InlineData("TimestampFormat", "Format decides the time stamp")]
    public void An_option_that_only_others_have_stops_the_start(string key, string instead)
    {
        var exception = Assert.ThrowsAny<Microsoft.Extensions.Options.OptionsValidationException>(() => SyslogProvider.Start([(key, "1KB")]).Dispose());

        Assert.Contains($"Logging:AsyncSyslog:{key} is not a known option; {instead}", exception.Failures);
    }
}
