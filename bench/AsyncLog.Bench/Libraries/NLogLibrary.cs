using System.Globalization;
using Microsoft.Extensions.Logging;
using NLog;
using NLog.Config;
using NLog.Extensions.Logging;

namespace AsyncLog.Bench;

/// <summary>NLog, asynchronous, file kept open: its fast configuration, never losing.</summary>
internal sealed class NLogLibrary : ILibrary
{
    private readonly LogFactory _nlog = new();
    private readonly ILoggerFactory _factory;

    public NLogLibrary(string directory, int queueLimit)
    {
        Files = [Path.Combine(directory, "nlog.log")];
        Room = queueLimit / 2;
        _nlog.ThrowConfigExceptions = true;
        _nlog.Configuration = XmlLoggingConfiguration.CreateFromXmlString(Configuration(Files[0], queueLimit), _nlog);
        var options = new NLogProviderOptions { IncludeScopes = false, CaptureMessageProperties = false, ShutdownOnDispose = true };
        _factory = Microsoft.Extensions.Logging.LoggerFactory.Create(builder => builder.AddProvider(new NLogLoggerProvider(options, _nlog)));
        Logger = _factory.CreateLogger(OrderLog.Category);
    }

    public Microsoft.Extensions.Logging.ILogger Logger { get; }

    public int Room { get; }

    public IReadOnlyList<string> Files { get; }

    public void Drain() => _nlog.Flush(TimeSpan.FromSeconds(30));

    public void Dispose()
    {
        _factory.Dispose();
        _nlog.Dispose();
    }

    private static string Configuration(string file, int queueLimit) => string.Create(
        CultureInfo.InvariantCulture,
        $$"""
        <nlog xmlns="http://www.nlog-project.org/schemas/NLog.xsd" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
          <targets>
            <target xsi:type="AsyncWrapper" name="a" queueLimit="{{queueLimit}}" overflowAction="Block"
                    batchSize="1000" fullBatchSizeWriteLimit="10" timeToSleepBetweenBatches="0">
              <target xsi:type="File" fileName="{{file}}" keepFileOpen="true" autoFlush="false"
                      openFileFlushTimeout="1" bufferSize="65536" lineEnding="LF"
                      layout="${date:format=yyyy-MM-dd HH\:mm\:ss.fff} [${level:uppercase=true}] [${logger}] ${message}" />
            </target>
          </targets>
          <rules>
            <logger name="*" minlevel="Info" writeTo="a" />
          </rules>
        </nlog>
        """);
}
