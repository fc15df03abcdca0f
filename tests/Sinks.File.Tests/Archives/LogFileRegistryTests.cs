using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Archives;

public sealed class LogFileRegistryTests
{
    [Theory]
    [InlineData("old.2001-01-01.001.log", "Files:a:Path=a.log|Files:b:Path=b.log|ArchiveName=old.{Date}.{Number}{Extension}")]
    [InlineData("app-2001-01-01.log", "Files:a:Path=app-{Date}.log|Files:b:Path=app-{Date:yyyy-MM-dd}.log")]
    [InlineData("app-2001-01-01-00.log", "Files:a:Path=app-{Date}.log|Files:a:RollingInterval=Hour|Files:b:Path=app-{Date:yyyy-MM-dd-HH}.log")]
    [InlineData("app-2001-01-01.001.log", "Files:a:Path=app-{Date}.log|Files:b:Path=b.log|Files:b:ArchiveName=app-{Date}.{Number}{Extension}")]
    public void Files_that_could_have_one_name_stop_the_start(string shared, string settings)
    {
        using var folder = new TempFolder();

        string? refusal = Refusal(folder, settings);

        string path = folder.File(settings.Split("Files:b:Path=")[1].Split('|')[0]);
        Assert.Equal(
            $"Logging:AsyncFile:Files:b:Path '{path}' is not valid: instances 'a' and 'b' would share files such as {folder.File(shared)}: "
                + "give one of them another Path",
            refusal);
    }

    [Fact]
    public void An_inherited_archive_name_without_Name_is_blamed_on_the_heir()
    {
        using var folder = new TempFolder();

        Assert.Equal(
            $"Logging:AsyncFile:Files:b:Path '{folder.File("app-b.log")}' is not valid: instances 'default' and 'b' would share files such as {folder.File("old.2001-01-01.001.log")}: give one of them another Path",
            Refusal(folder, "Path=app.log|ArchiveName=old.{Date}.{Number}{Extension}|Files:b:LogLevel:Default=Error"));
    }

    [Theory]
    [InlineData("Files:a:Path=a.log|Files:b:Path=b.log|ArchiveName={Name}-old.{Date}.{Number}{Extension}")]
    [InlineData("Files:a:Path=x/app.log|Files:b:Path=y/app.log|ArchiveName=old.{Date}.{Number}{Extension}")]
    [InlineData("Files:a:Path=app-{Date}.log|Files:b:Path=app-{Date:yyyy-MM}.log|Files:b:RollingInterval=Month")]
    public void Files_that_never_have_one_name_are_started(string settings)
    {
        using var folder = new TempFolder();

        Assert.Null(Refusal(folder, settings));
    }

    [Fact]
    public void Of_two_patterns_with_as_much_text_one_has_the_file()
    {
        var owners = new LogFileRegistry();
        LogFileSettings dated = Settings("/srv/a.log", "x.{Date:yyyyMMdd}{Number}{Extension}");
        LogFileSettings numbered = Settings("/srv/b.log", "x.{Number}{Extension}");
        object first = new();
        object second = new();
        owners.Set(first, dated);
        owners.Set(second, numbered);

        Assert.Equal(dated.Names.TextLength, numbered.Names.TextLength);
        Assert.True(owners.Owns(first, dated, "x.20200101001.log"));
        Assert.False(owners.Owns(second, numbered, "x.20200101001.log"));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Names_that_differ_in_case_are_one_file_where_the_system_ignores_it(bool ignoresCase)
    {
        var owners = new LogFileRegistry(ignoresCase);
        owners.Set(new object(), Settings("/srv/logs/A-001.log", "other-{Number}{Extension}"));
        owners.Set(new object(), new LogFileSettings(new AsyncFileLoggerOptions { Path = "/srv/logs/0.log", LatestLink = "Latest.log" }));
        object owner = new();
        var own = new LogFileSettings(new AsyncFileLoggerOptions
        {
            Path = "/srv/Logs/a.log",
            ArchiveName = "a-{Number}{Extension}",
            RollingInterval = RollingInterval.None,
            LatestLink = "latest.log",
        });
        owners.Set(owner, own);

        Assert.Equal(!ignoresCase, owners.Owns(owner, own, "a-001.log"));
        Assert.Equal(!ignoresCase, owners.OwnsLink(owner, own));
    }

    [Fact]
    public void Two_sets_with_one_pattern_as_while_a_reload_replaces_one_by_the_other_both_have_its_files_and_its_link()
    {
        var owners = new LogFileRegistry();
        var settings = new LogFileSettings(new AsyncFileLoggerOptions
        {
            Path = "/srv/a.log",
            ArchiveName = "a-{Number}{Extension}",
            RollingInterval = RollingInterval.None,
            LatestLink = "latest.log",
        });
        object replaced = new();
        object successor = new();
        owners.Set(replaced, settings);
        owners.Set(successor, settings);

        Assert.True(owners.Owns(replaced, settings, "a-001.log"));
        Assert.True(owners.Owns(successor, settings, "a-001.log"));
        Assert.True(owners.OwnsLink(replaced, settings));
        Assert.True(owners.OwnsLink(successor, settings));
    }

    private static LogFileSettings Settings(string path, string archiveName) => new LogFileSettings(
        new AsyncFileLoggerOptions { Path = path, ArchiveName = archiveName, RollingInterval = RollingInterval.None });

    /// <summary>What the start says; null: it starts.</summary>
    /// <param name="folder">Where every path is.</param>
    /// <param name="settings">Keys of the section with their values.</param>
    private static string? Refusal(TempFolder folder, string settings)
    {
        // Without a path of its own the section is no file here: the named ones are looked at.
        bool hasMain = settings.Split('|').Any(static setting => setting.StartsWith("Path=", StringComparison.Ordinal));
        IEnumerable<(string Key, string? Value)> values = $"Main={hasMain}|{settings}".Split('|').Select(setting =>
        {
            string[] pair = setting.Split('=');
            return ($"Logging:AsyncFile:{pair[0]}", (string?)(pair[0].EndsWith("Path", StringComparison.Ordinal) ? folder.File(pair[1]) : pair[1]));
        });
        using ServiceProvider services = new ServiceCollection()
            .Configure<AsyncLogOptions>(static options => options.StartupReport = false)
            .AddLogging(logging => logging.AddConfiguration(MemorySource.Build(values).GetSection("Logging")).AddAsyncFile())
            .BuildServiceProvider();
        return Record.Exception(services.GetRequiredService<ILoggerFactory>)?.Message;
    }
}
