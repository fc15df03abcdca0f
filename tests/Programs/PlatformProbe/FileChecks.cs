using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using static AsyncLog.PlatformProbe.Application;

namespace AsyncLog.PlatformProbe;

/// <summary>Writing and rolling of files.</summary>
internal static class FileChecks
{
    private const string Area = "file";
    private const UnixFileMode OwnerAndGroup = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.GroupRead;

    public static readonly Check[] All =
    [
        new(Area, "records of several threads are whole, those of a thread in order", Append),
        new(Area, "a restart appends", Restart),
        new(Area, "missing directories are created", MissingDirectories),
        new(Area, "new files and directories have their modes", Modes, Need.Unix),
        new(Area, "a name may have letters of any script, and spaces", UnicodeName),
        new(Area, "a path may be longer than 260 characters", LongPath),
        new(Area, "another program reads the file while it is written", SharedReading),
        new(Area, "a record is in the file when FlushAsync returns", Flush),
        new(Area, "with FlushToDisk every record arrives", FlushToDisk),
        new(Area, "with AcknowledgeLevel a record is in the file when Log returns", Acknowledge),
        new(Area, "a file rolls at FileSizeLimit and no record is lost", RollBySize),
        new(Area, "a dated file is followed by that of the next day", RollByDate),
        new(Area, "a file rolls on request", RollOnRequest),
        new(Area, "a file with a fixed name is archived under the date of its day", ArchiveName),
        new(Area, "a named file has its own levels", SeveralFiles),
    ];

    private static async Task Append(Ground ground)
    {
        const int threads = 4;
        const int records = 2_000;
        await using var app = ground.LogTo("app.log", ("QueueFullMode", "Wait"), ("WaitTimeout", "30s"));
        await Task.WhenAll(Enumerable.Range(0, threads).Select(thread => Task.Factory.StartNew(() => app.Log(thread * records, records), TaskCreationOptions.LongRunning)));
        await app.Flush();
        var lines = ground.Lines("app.log");
        Expect.Lines(Messages(0, threads * records), lines.OrderBy(NumberOf));
        for (var thread = 0; thread < threads; thread++)
            Expect.Lines(Messages(thread * records, records), lines.Where(line => NumberOf(line) / records == thread));
    }

    private static int NumberOf(string line) => int.Parse(line["record ".Length..^1], System.Globalization.CultureInfo.InvariantCulture);

    private static async Task Restart(Ground ground)
    {
        for (var start = 0; start < 3; start++)
        {
            await using var app = ground.LogTo("app.log");
            app.Log(start * 10, 10);
        }

        Expect.Lines(Messages(0, 30), ground.Lines("app.log"));
    }

    private static async Task MissingDirectories(Ground ground)
    {
        await using (var app = ground.LogTo(Path.Combine("a", "b", "c", "app.log")))
            app.Log(0, 1);
        Expect.Lines(Messages(0, 1), ground.Lines("a", "b", "c", "app.log"));
    }

    private static async Task Modes(Ground ground)
    {
        await using (var app = ground.LogTo(Path.Combine("logs", "app.log")))
            app.Log(0, 1);
        if (OperatingSystem.IsWindows())
            return;
        Expect.Equal(OwnerAndGroup, File.GetUnixFileMode(ground.File("logs", "app.log")));
        Expect.Equal(OwnerAndGroup | UnixFileMode.UserExecute | UnixFileMode.GroupExecute, File.GetUnixFileMode(ground.File("logs")));
    }

    private static async Task UnicodeName(Ground ground)
    {
        await using (var app = ground.LogTo("Protokoll für Иван 日誌.log"))
            app.Log(0, 1);
        Expect.Lines(Messages(0, 1), ground.Lines("Protokoll für Иван 日誌.log"));
    }

    private static async Task LongPath(Ground ground)
    {
        var folder = Path.Combine([.. Enumerable.Repeat(new string('d', 60), 5)]);
        await using (var app = ground.LogTo(Path.Combine(folder, "app.log")))
            app.Log(0, 1);
        Expect.Lines(Messages(0, 1), ground.Lines(folder, "app.log"));
    }

    private static async Task SharedReading(Ground ground)
    {
        await using var app = ground.LogTo("app.log");
        app.Log(0, 10);
        await app.Flush();
        using var reader = new StreamReader(new FileStream(ground.File("app.log"), FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete));
        Expect.Lines(Messages(0, 10), Ground.LinesOf(System.Text.Encoding.UTF8.GetBytes(await reader.ReadToEndAsync())));
        app.Log(10, 10);
        await app.Flush();
        Expect.Lines(Messages(10, 10), Ground.LinesOf(System.Text.Encoding.UTF8.GetBytes(await reader.ReadToEndAsync())));
    }

    private static async Task Flush(Ground ground)
    {
        await using var app = ground.LogTo("app.log");
        for (var number = 0; number < 20; number++)
        {
            app.Log(number, 1);
            await app.Flush();
            Expect.Equal($"record {number}.", ground.Lines("app.log")[^1]);
        }
    }

    private static async Task FlushToDisk(Ground ground)
    {
        await using (var app = ground.LogTo("app.log", ("Durability", "FlushToDisk"), ("FileSizeLimit", "4KB")))
        {
            app.Log(0, 1_000);
            await app.Flush();
            Expect.Equal(0, app.Status.Errors.Count);
        }

        Expect.Lines(Messages(0, 1_000), AllLines(ground));
    }

    private static async Task Acknowledge(Ground ground)
    {
        await using var app = ground.LogTo("app.log", ("AcknowledgeLevel", "Information"), ("FlushToDiskLevel", "Information"), ("AcknowledgeTimeout", "20s"));
        for (var number = 0; number < 20; number++)
        {
            app.Log(number, 1);
            Expect.Equal($"record {number}.", ground.Lines("app.log")[^1]);
        }

        Expect.Equal(0, app.Status.Unacknowledged);
    }

    private static async Task RollBySize(Ground ground)
    {
        await using (var app = ground.LogTo("app.log", ("FileSizeLimit", "4KB"), ("RetainedFileCountLimit", "")))
        {
            for (var first = 0; first < 2_000; first += 100)
            {
                app.Log(first, 100);
                await app.Flush();
            }
        }

        Expect.True(ground.Names().Count > 4, () => string.Join(", ", ground.Names()));
        foreach (var name in ground.Names())
            Expect.True(new FileInfo(ground.File(name)).Length <= 4 << 10, () => name);
        Expect.Lines(Messages(0, 2_000), AllLines(ground));
    }

    // Ten records on a day, ten on the next one. Returns the first day.
    private static async Task<DateTimeOffset> LogOnTwoDays(Ground ground, string path)
    {
        var clock = new Clock();
        var configuration = Settings("AsyncFile", ("Path", ground.File(path)), ("Template", "{Message}{NewLine}"), ("UseUtcTimestamp", "true"));
        var today = clock.GetUtcNow();
        await using (var app = new Application(configuration, services => services.AddSingleton<TimeProvider>(clock)))
        {
            app.Log(0, 10);
            await app.Flush();
            clock.Offset += TimeSpan.FromDays(1);
            app.Log(10, 10);
        }

        return today;
    }

    private static async Task RollByDate(Ground ground)
    {
        var today = await LogOnTwoDays(ground, "app-{Date:yyyyMMdd}.log");

        Expect.Lines(Messages(0, 10), ground.Lines(FormattableString.Invariant($"app-{today:yyyyMMdd}.log")));
        Expect.Lines(Messages(10, 10), ground.Lines(FormattableString.Invariant($"app-{today.AddDays(1):yyyyMMdd}.log")));
    }

    private static async Task RollOnRequest(Ground ground)
    {
        await using (var app = ground.LogTo("app.log"))
        {
            app.Log(0, 10);
            await app.Roll();
            app.Log(10, 10);
        }

        Expect.Equal(2, ground.Names().Count);
        Expect.Lines(Messages(10, 10), ground.Lines("app.log"));
        Expect.Lines(Messages(0, 10), ground.Lines(ground.Names().First(static name => name != "app.log")));
    }

    private static async Task ArchiveName(Ground ground)
    {
        var today = await LogOnTwoDays(ground, "app.log");

        var archive = FormattableString.Invariant($"app.{today:yyyy-MM-dd}.001.log");
        Expect.True(ground.Names().Contains(archive), () => string.Join(", ", ground.Names()));
        Expect.Lines(Messages(0, 10), ground.Lines(archive));
        Expect.Lines(Messages(10, 10), ground.Lines("app.log"));
    }

    private static async Task SeveralFiles(Ground ground)
    {
        await using (var app = ground.LogTo("app.log", ("Files:errors:LogLevel:Default", "Error")))
        {
            app.Log(0, 1);
            app.Logger.LogError("an error");
        }

        Expect.Lines(["record 0.", "an error"], ground.Lines("app.log"));
        Expect.Lines(["an error"], ground.Lines("app-errors.log"));
    }

    /// <summary>The lines of all files of a set with the active file app.log, the oldest first.</summary>
    public static IEnumerable<string> AllLines(Ground ground) => ground.Names().OrderBy(static name => name == "app.log").SelectMany(name => ground.Lines(name));
}
