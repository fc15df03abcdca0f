using System.Globalization;
using Microsoft.Extensions.Logging;
using NLog;
using NLog.Config;
using NLog.Extensions.Logging;

namespace AsyncLog.Bench;

/// <summary>NLog to a file: asynchronous with the file kept open, its fast configuration; asynchronous with everything left as it comes; or synchronous.</summary>
internal sealed class NLogLibrary : ILibrary
{
    private const string Layout = @"${longdate:truncate=23} [${level:uppercase=true}] [${logger}] ${message}";

    private const string Text = $"""<layout xsi:type="SimpleLayout" text="{Layout}" />""";
    private const string TextWithScopes = $$"""<layout xsi:type="SimpleLayout" text="{{Layout}} ${scopenested:separator= }" />""";
    private const string Json =
        """
        <layout xsi:type="JsonLayout" includeEventProperties="true" includeScopeProperties="true">
          <attribute name="time" layout="${date:universalTime=true:format=o}" />
          <attribute name="level" layout="${level}" />
          <attribute name="category" layout="${logger}" />
          <attribute name="message" layout="${message}" />
        </layout>
        """;

    private const int DefaultQueue = 10_000;
    private const int LargestBatch = 1_000;

    private static readonly TimeSpan DrainTimeout = TimeSpan.FromSeconds(60);

    private readonly LogFactory _nlog = new();

    private readonly bool _hasScopes;

    private NLogLibrary(string file, string target, int room, bool hasScopes = false)
    {
        _hasScopes = hasScopes;
        Files = [file];
        Room = room;
        _nlog.ThrowConfigExceptions = true;
        _nlog.Configuration = XmlLoggingConfiguration.CreateFromXmlString(Configuration(target), _nlog);
    }

    public int Room { get; }

    public IReadOnlyList<string> Files { get; }

    /// <summary>Its fast configuration.</summary>
    /// <param name="setup">The run.</param>
    /// <param name="queueLimit">Events that its queue holds.</param>
    /// <param name="sleep">Milliseconds between two batches; with 0 a call that meets an empty queue wakes the worker, with more it starts a timer.</param>
    /// <param name="grows">Whether the queue takes events beyond its limit too.</param>
    /// <param name="isJson">Whether it writes JSON.</param>
    public static NLogLibrary Asynchronous(LibrarySetup setup, int queueLimit, int sleep = 0, bool grows = false, bool isJson = false)
    {
        var file = setup.PathOf("nlog.log");
        var overflow = grows ? "Grow" : setup.Drops ? "Discard" : "Block";
        // NLog takes its slower queue, the one with a lock, where callers wait and less than one and a half batches fit.
        var batch = Math.Min(LargestBatch, queueLimit / 5);
        var target = string.Create(
            CultureInfo.InvariantCulture,
            $"""
            <target xsi:type="AsyncWrapper" name="a" queueLimit="{queueLimit}" overflowAction="{overflow}"
                    batchSize="{batch}" fullBatchSizeWriteLimit="10" timeToSleepBetweenBatches="{sleep}">
              <target xsi:type="File" fileName="{file}" keepFileOpen="true" autoFlush="false"
                      openFileFlushTimeout="1" bufferSize="65536" lineEnding="LF">
                {(isJson ? Json : TextOf(setup))}
              </target>
            </target>
            """);
        return new NLogLibrary(file, target, grows ? int.MaxValue : queueLimit / 2, isJson || setup.HasScopes);
    }

    /// <summary>What <c>async="true"</c> and a file target give: a queue of 10,000, batches of 200 with 1 ms between them, a flush per batch. Only what happens when the queue is full is set.</summary>
    public static NLogLibrary Default(LibrarySetup setup)
    {
        var file = setup.PathOf("nlog.log");
        var target =
            $"""
            <target xsi:type="AsyncWrapper" name="a" overflowAction="{(setup.Drops ? "Discard" : "Block")}">
              <target xsi:type="File" fileName="{file}" lineEnding="LF" layout="{Layout}" />
            </target>
            """;
        return new NLogLibrary(file, target, DefaultQueue / 2);
    }

    public static NLogLibrary Synchronous(LibrarySetup setup)
    {
        var file = setup.PathOf("nlog.log");
        var target =
            $"""
            <target xsi:type="File" name="a" fileName="{file}" keepFileOpen="true" autoFlush="false"
                    openFileFlushTimeout="1" bufferSize="65536" lineEnding="LF">
              {TextOf(setup)}
            </target>
            """;
        return new NLogLibrary(file, target, int.MaxValue, setup.HasScopes);
    }

    public void AddTo(ILoggingBuilder builder)
    {
        var options = new NLogProviderOptions { IncludeScopes = _hasScopes, CaptureMessageProperties = _hasScopes, ShutdownOnDispose = true };
        builder.AddProvider(new NLogLoggerProvider(options, _nlog));
    }

    // Without a flush before, closing its asynchronous target waits up to a second for a timer and only then writes what is left in the queue.
    public IDisposable? Accompany(IServiceProvider services) => new FlushAtEnd(_nlog);

    public void Drain(IServiceProvider services) => _nlog.Flush(DrainTimeout);

    public void Dispose() => _nlog.Dispose();

    private static string TextOf(LibrarySetup setup) => setup.HasScopes ? TextWithScopes : Text;

    private static string Configuration(string target) =>
        $"""
        <nlog xmlns="http://www.nlog-project.org/schemas/NLog.xsd" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
          <targets>
            {target}
          </targets>
          <rules>
            <logger name="*" minlevel="Info" writeTo="a" />
          </rules>
        </nlog>
        """;

    private sealed class FlushAtEnd(LogFactory nlog) : IDisposable
    {
        public void Dispose() => nlog.Flush(DrainTimeout);
    }
}
