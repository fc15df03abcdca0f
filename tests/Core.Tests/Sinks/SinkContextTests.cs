using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Sinks;

/// <summary>What an author of a sink uses to test it, without an instance.</summary>
public sealed class SinkContextTests
{
    [Fact]
    public void A_context_without_an_instance_accepts_every_call_and_keeps_instruments()
    {
        var time = new FakeTimeProvider();
        var context = new SinkContext("memory/test", time) { IsReload = true };

        context.Wake();
        context.Report(LogLevel.Error, "open", "cannot be opened");
        context.ReportRecovery("open", "opened");
        context.CountError("timeout", "too late");
        context.Degrade("disk_low");
        context.Restore("disk_low");
        context.Events.FileOpened("a.log", 0);
        context.Events.FileError("open", "a.log", "permission", "denied");
        context.CreateInstrument("test.opened", SinkInstrumentKind.Counter, "{file}", "Files.").Add(2);

        Assert.Equal("memory/test", context.Name);
        Assert.Same(time, context.TimeProvider);
        Assert.True(context.IsReload);
        Assert.Equal(2, Assert.Single(context.CreateInstrument("test.opened", SinkInstrumentKind.Counter, "{file}", "Files.").Measure()).Value);
    }

    [Fact]
    public void A_derived_context_records_what_the_sink_reports()
    {
        var context = new RecordingContext();

        context.Report(LogLevel.Warning, "full", "the disk is full");
        context.CountError("no_space");
        context.Events.FileRolled("a.1.log", "a.log", "size");
        context.Events.BatchRejected("400", 3, "bad\nrequest");

        Assert.Equal(["Warning full: the disk is full", "error no_space"], context.Calls);
        Assert.Equal(["31 a.1.log, a.log, size", "43 400, 3 | bad\\u000arequest"], context.Written.All);
    }

    private sealed class RecordingContext() : SinkContext("memory/test", timeProvider: null, application: null, new RecordingEvents())
    {
        public List<string> Calls { get; } = [];

        public RecordingEvents Written => (RecordingEvents)Events;

        public override void Report(LogLevel severity, string condition, string message) => Calls.Add($"{severity} {condition}: {message}");

        public override void CountError(string errorType, string? message = null) => Calls.Add($"error {errorType}");
    }

    private sealed class RecordingEvents : SinkEvents
    {
        public List<string> All { get; } = [];

        protected override void Write(int id, params ReadOnlySpan<object?> payload) => All.Add($"{id} {string.Join(", ", payload)}");

        protected override void WriteFailure(int id, (string What, string ErrorType) kind, string? message, params ReadOnlySpan<object?> payload)
            => All.Add($"{id} {string.Join(", ", payload)} | {message}");
    }
}
