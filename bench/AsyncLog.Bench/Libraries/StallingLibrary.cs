using System.Diagnostics;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Win32.SafeHandles;

namespace AsyncLog.Bench;

/// <summary>AsyncLog to a file of our own sink, which can stand still 200 ms in every second, as a slow disk does.</summary>
internal sealed class StallingLibrary(LibrarySetup setup, bool stalls) : ILibrary
{
    public IReadOnlyList<string> Files { get; } = [setup.PathOf("stalling.log")];

    public void AddTo(ILoggingBuilder builder)
    {
        builder.Services.Configure<AsyncLogOptions>(static options => options.StartupReport = false);
        SinkRegistration.Add(builder, new StallingDefinition(), static services => new StallingLoggerProvider(services), name: null, Configure);
    }

    public void Drain(IServiceProvider services) => AsyncLogLibrary.DrainAll(services);

    public void Dispose()
    {
        // the container owns everything
    }

    private void Configure(StallingOptions options)
    {
        AsyncLogLibrary.Configure(options, setup.Drops);
        options.Template = AsyncLogLibrary.SameLine;
        options.Format = "Text";
        options.Path = Files[0];
        options.Stalls = stalls;
    }
}

/// <summary>Appends each batch with one write; the first write of each second may take 200 ms longer.</summary>
internal sealed class StallingSink(string path, bool stalls) : ILogSink
{
    private static readonly TimeSpan Stall = TimeSpan.FromMilliseconds(200);
    private static readonly TimeSpan Period = TimeSpan.FromSeconds(1);

    private readonly SafeFileHandle _file = File.OpenHandle(path, FileMode.CreateNew, FileAccess.Write);
    private long _length;
    private long _lastStall = Stopwatch.GetTimestamp();

    public ValueTask WriteAsync(LogBatch batch, CancellationToken cancellationToken)
    {
        if (stalls && Stopwatch.GetElapsedTime(_lastStall) >= Period)
        {
            _lastStall = Stopwatch.GetTimestamp();
            Thread.Sleep(Stall);
        }

        RandomAccess.Write(_file, batch.Bytes.Span, _length);
        _length += batch.Bytes.Length;
        return ValueTask.CompletedTask;
    }

    public ValueTask DisposeAsync()
    {
        _file.Dispose();
        return ValueTask.CompletedTask;
    }
}

/// <summary>Options of <see cref="StallingSink"/>.</summary>
internal sealed class StallingOptions : SinkOptions
{
    public string Path { get; set; } = "";

    public bool Stalls { get; set; }
}

[ProviderAlias("Stalling")]
internal sealed class StallingLoggerProvider(SinkServices<StallingOptions> services) : SinkLoggerProvider<StallingOptions>(services);

/// <summary>Describes <see cref="StallingSink"/>.</summary>
internal sealed class StallingDefinition() : SinkDefinition<StallingOptions>("stalling")
{
    public override string RegistrationMethod => "AddSink";

    public override ILogSink CreateSink(StallingOptions options, SinkContext context) => new StallingSink(options.Path, options.Stalls);
}
