using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Options;

/// <summary>Edits of the configuration while a real file is written.</summary>
public sealed class LiveReloadTests : IDisposable
{
    private readonly TempFolder _folder = new();
    private readonly ReloadClock _clock = new();
    private readonly IConfigurationRoot _configuration;
    private readonly ServiceProvider _services;

    public LiveReloadTests()
    {
        (string Key, string? Value)[] values =
        [
            ("Logging:AsyncFile:Path", _folder.File("shop.log")), ("Logging:AsyncFile:RollingInterval", "None"),
            ("Logging:AsyncFile:ArchiveName", "{Name}.{Number}{Extension}"), ("Logging:AsyncFile:MinFreeSpace", "0"),
        ];
        _configuration = MemorySource.Build(values);
        _services = new ServiceCollection()
            .AddSingleton<TimeProvider>(_clock)
            .AddKeyedSingleton<TimeProvider>("AsyncLog.Waits", _clock)
            .Configure<AsyncLogOptions>(static options => options.StartupReport = false)
            .AddLogging(logging => logging.AddConfiguration(_configuration.GetSection("Logging")).AddAsyncFile())
            .BuildServiceProvider();
    }

    [Fact]
    public async Task A_new_layout_begins_a_file_and_a_new_limit_holds_for_the_one_in_hand()
    {
        await Write("one");
        Edit("Format", "Json");
        await Write("two");
        Assert.Equal(["shop.001.log", "shop.log"], _folder.Names);
        Assert.Matches("^[^{].* Test: one\n\\z", _folder.Read("shop.001.log"));
        Assert.Matches("^{.*two.*}\n\\z", _folder.Read("shop.log"));

        Edit("LineEnding", "CrLf");
        await Write("three");
        Assert.Equal(["shop.001.log", "shop.002.log", "shop.log"], _folder.Names);
        Assert.Matches("^{.*two.*}\n\\z", _folder.Read("shop.002.log"));
        Assert.Matches("^{.*three.*}\r\n\\z", _folder.Read("shop.log"));

        Edit("FileSizeLimit", "4KB");
        await Write("four");
        Assert.Equal(["shop.001.log", "shop.002.log", "shop.log"], _folder.Names);
        await Write(new string('x', 3000));
        await Write(new string('y', 3000));
        Assert.Equal(["shop.001.log", "shop.002.log", "shop.003.log", "shop.log"], _folder.Names);
        Assert.Matches("^{.*three.*}\r\n{.*four.*}\r\n{.*xxx.*}\r\n\\z", _folder.Read("shop.003.log"));
        Assert.Matches("^{.*yyy.*}\r\n\\z", _folder.Read("shop.log"));
    }

    public void Dispose()
    {
        _services.Dispose();
        _folder.Dispose();
    }

    private void Edit(string key, string value)
    {
        MemorySource.Of(_configuration).Change($"Logging:AsyncFile:{key}", value);
        _configuration.Reload();
        _clock.Run();
    }

    private async Task Write(string text)
    {
        ILogger logger = _services.GetRequiredService<ILoggerFactory>().CreateLogger("Test");
        logger.Log(LogLevel.Information, default, text, null, static (state, _) => state);
        IAsyncLogControl control = _services.GetRequiredService<IAsyncLogControl>();
        Assert.True(await control.FlushAsync(TimeSpan.FromSeconds(20), TestContext.Current.CancellationToken));
    }
}
