using System.Collections;
using Microsoft.Extensions.Options;

namespace AsyncLog;

public sealed class ProcessConfigurationTests
{
    [Fact]
    public void The_root_section_is_read_and_code_overrules_it()
    {
        ProcessConfiguration process = new(
            Probe.Section(("AsyncLog:Strict", "true"), ("asynclog:selfreport", "verbose"), ("AsyncLog:StartupReport", "false")),
            [new ConfigureNamedOptions<AsyncLogOptions>("", o => o.StartupReport = true)],
            [new PostConfigureOptions<AsyncLogOptions>("", o => o.FlushOnSignal = true)],
            new Hashtable { ["AsyncLog__FlushOnCrash"] = "false" });
        AsyncLogOptions options = process.Options;
        Assert.Equal((true, SelfReportLevel.Verbose, true, true, true), (options.Strict, options.SelfReport, options.StartupReport, options.FlushOnSignal, options.FlushOnCrash));
    }

    [Fact]
    public void Without_configuration_the_environment_is_read()
    {
        ProcessConfiguration process = new(null, [], [], new Hashtable { ["ASYNCLOG__strict"] = "true", ["ASYNCLOG_DIAGNOSTICS"] = "info", ["AsyncLog__Strickt"] = "1" });
        Assert.True(process.Options.Strict);
        Assert.Equal("AsyncLog:Strickt is not a known option; did you mean 'Strict'?", Assert.Single(process.UnknownKeys).ToString());
    }

    [Fact]
    public void Mistakes_are_reported_as_in_the_sections_of_sinks()
    {
        ProcessConfiguration process = new(Probe.Section(("AsyncLog:SelfReport", "Warn"), ("AsyncLog:MaxTotalQueueMemory", "1GB")), [], []);
        Assert.Equal(
            "AsyncLog:SelfReport 'Warn' is not valid: expected Off, Error, Warning, Info or Verbose; did you mean 'Warning'?", Assert.Single(process.Problems).ToString());
        Assert.Equal("AsyncLog:MaxTotalQueueMemory is not a known option; planned, not available in this version", Assert.Single(process.UnknownKeys).ToString());
    }
}
