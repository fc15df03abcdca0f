using System.Collections;
using AsyncLog.Tests.Configuration;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace AsyncLog.Tests.Hosting;

public sealed class ProcessOptionsTests
{
    [Fact]
    public void The_root_section_is_read_and_code_overrules_it()
    {
        ProcessOptions process = Probe.Process(
            Probe.Section(("AsyncLog:Strict", "true"), ("asynclog:selfreportlevel", "debug"), ("AsyncLog:StartupReport", "false")),
            [new ConfigureNamedOptions<AsyncLogOptions>("", o => o.StartupReport = true)],
            [new PostConfigureOptions<AsyncLogOptions>("", o => o.FlushOnCrash = true)],
            new Hashtable { ["AsyncLog__FlushOnCrash"] = "false" });
        AsyncLogOptions options = process.AtStart;
        Assert.Equal((true, LogLevel.Debug, true, true), (options.Strict, options.SelfReportLevel, options.StartupReport, options.FlushOnCrash));
    }

    [Fact]
    public void Without_configuration_the_environment_is_read()
    {
        ProcessOptions process = Probe.Process(null, variables: new Hashtable { ["ASYNCLOG__strict"] = "true", ["ASYNCLOG_DIAGNOSTICS"] = "info", ["AsyncLog__Strickt"] = "1" });
        Assert.True(process.AtStart.Strict);
        Assert.Equal("AsyncLog:Strickt is not a known option; did you mean 'Strict'?", Assert.Single(process.UnknownKeys).ToString());
    }

    [Fact]
    public void Of_several_providers_the_first_one_hears_what_a_reload_changes()
    {
        IConfigurationRoot source = MemorySource.Build([("AsyncLog:SelfReportLevel", "Error")]);
        ProcessOptions process = Probe.Process(source);
        MemorySource.Of(source).Change("AsyncLog:SelfReportLevel", "Debug");
        MemorySource.Of(source).Change("AsyncLog:Strict", "true");
        ProcessChange change = process.Reload();
        Assert.Equal(LogLevel.Debug, change.SelfReport);
        Assert.Equal(["AsyncLog:Strict"], change.NextStartKeys);
        Assert.True(process.Reload().IsEmpty);
        Assert.False(process.AtStart.Strict);
    }

    [Fact]
    public void Code_that_throws_during_a_reload_keeps_everything()
    {
        bool fails = false;
        ConfigureNamedOptions<AsyncLogOptions> code = new("", o => o.SelfReportLevel = fails ? throw new InvalidOperationException("no\nway") : LogLevel.Error);
        ProcessOptions process = Probe.Process(Probe.Section(), [code]);
        fails = true;
        ProcessChange change = process.Reload();
        Assert.Null(change.SelfReport);
        Assert.Equal(
            "AsyncLog is not valid: reading it failed with InvalidOperationException: no way", Assert.Single(change.NewProblems).ToString());
        fails = false;
        Assert.True(process.Reload().IsEmpty);
        Assert.Empty(process.Problems);
    }

    [Fact]
    public void Mistakes_are_reported_as_in_the_sections_of_sinks()
    {
        ProcessOptions process = Probe.Process(Probe.Section(("AsyncLog:SelfReportLevel", "Warn"), ("AsyncLog:SelfReportLevl", "Error")));
        Assert.Equal(
            "AsyncLog:SelfReportLevel 'Warn' is not valid: expected Trace, Debug, Information, Warning, Error, Critical or None; did you mean 'Warning'?", Assert.Single(process.Problems).ToString());
        Assert.Equal("AsyncLog:SelfReportLevl is not a known option; did you mean 'SelfReportLevel'?", Assert.Single(process.UnknownKeys).ToString());
    }
}
