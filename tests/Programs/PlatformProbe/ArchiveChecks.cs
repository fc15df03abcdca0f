using System.IO.Compression;
using AsyncLog.Tests;
using static AsyncLog.PlatformProbe.Application;

namespace AsyncLog.PlatformProbe;

/// <summary>Finished files: retention, compression, and the link to the active one.</summary>
internal static class ArchiveChecks
{
    private const string Area = "archives";

    public static readonly Check[] All =
    [
        new(Area, "only RetainedFileCountLimit files stay, the newest", RetentionByCount),
        new(Area, "files older than RetainedFileTimeLimit are deleted", RetentionByAge),
        new(Area, "the oldest files above RetainedTotalSizeLimit are deleted", RetentionBySize),
        new(Area, "a file with another name stays", ForeignFiles),
        new(Area, "an archive that a reader holds is deleted, or later", HeldArchive),
        new(Area, "with Gzip an archive is replaced by a compressed one", Compression),
        new(Area, "what was not compressed before the end is compressed after the next start", CompressionAfterRestart),
        new(Area, "a link points to the active file", LatestLink, Need.Links),
        new(Area, "a link points to the new file after a roll and after the end", LatestLinkAfterRoll, Need.Links),
    ];

    private static async Task RetentionByCount(Ground ground)
    {
        await using var app = ground.LogTo("app.log", ("RetainedFileCountLimit", "3"));
        for (var roll = 0; roll < 6; roll++)
        {
            app.Log(roll * 10, 10);
            await app.Roll();
        }

        await Eventually.Holds(() => ground.Names().Count == 3, () => string.Join(", ", ground.Names()));
        Expect.Lines(Messages(40, 20), FileChecks.AllLines(ground));
    }

    private static async Task RetentionByAge(Ground ground)
    {
        await File.WriteAllTextAsync(ground.File("app.2020-01-02.001.log"), "old\n");
        await using var app = ground.LogTo("app.log", ("RetainedFileTimeLimit", "30d"));
        app.Log(0, 1);
        await Eventually.Holds(() => ground.Names() is ["app.log"], () => string.Join(", ", ground.Names()));
    }

    private static async Task RetentionBySize(Ground ground)
    {
        await using var app = ground.LogTo("app.log", ("RetainedTotalSizeLimit", "12KB"), ("FileSizeLimit", "4KB"));
        for (var first = 0; first < 3_000; first += 100)
        {
            app.Log(first, 100);
            await app.Flush();
        }

        await app.Roll();
        await Eventually.Holds(() => SizeOf(ground) <= 12 << 10, () => string.Join(", ", ground.Names()));
        var lines = FileChecks.AllLines(ground).ToList();
        Expect.True(lines.Count > 500);
        Expect.Lines(Messages(3_000 - lines.Count, lines.Count), lines);
    }

    private static async Task ForeignFiles(Ground ground)
    {
        string[] names = ["app.2020-01-02.log", "app.2020-01-02.001.txt", "app.log.bak", "other.2020-01-02.001.log"];
        foreach (var name in names)
            await File.WriteAllTextAsync(ground.File(name), "old\n");
        await using var app = ground.LogTo("app.log", ("RetainedFileTimeLimit", "30d"), ("RetainedFileCountLimit", "1"));
        app.Log(0, 1);
        await app.Roll();
        app.Log(1, 1);
        await Eventually.Holds(() => ground.Names().Count == names.Length + 1, () => string.Join(", ", ground.Names()));
        Expect.Lines(names.Append("app.log").Order(StringComparer.Ordinal), ground.Names());
    }

    // Without FileShare.Delete another program keeps a file on Windows until it closes it.
    private static async Task HeldArchive(Ground ground)
    {
        await File.WriteAllTextAsync(ground.File("app.2020-01-02.001.log"), "old\n");
        var reader = new FileStream(ground.File("app.2020-01-02.001.log"), FileMode.Open, FileAccess.Read, FileShare.ReadWrite);
        await using var app = ground.LogTo("app.log", ("RetainedFileCountLimit", "2"));
        app.Log(0, 1);
        await app.Roll();
        app.Log(1, 1);
        await app.Flush();
        await reader.DisposeAsync();
        await app.Roll();
        await Eventually.Holds(() => ground.Names().Count == 2, () => string.Join(", ", ground.Names()));
        Expect.True(!File.Exists(ground.File("app.2020-01-02.001.log")));
    }

    private static async Task Compression(Ground ground)
    {
        await using var app = ground.LogTo("app.log", ("Compression", "Gzip"));
        app.Log(0, 1_000);
        await app.Roll();
        app.Log(1_000, 1);
        await app.Flush();
        await Eventually.Holds(() => ground.Names() is [_, "app.log"] and [var archive, _] && archive.EndsWith(".log.gz", StringComparison.Ordinal), () => string.Join(", ", ground.Names()));
        Expect.Lines(Messages(0, 1_000), Unpacked(ground, ground.Names()[0]));
        Expect.Lines(Messages(1_000, 1), ground.Lines("app.log"));
    }

    private static async Task CompressionAfterRestart(Ground ground)
    {
        await using (var first = ground.LogTo("app.log"))
        {
            first.Log(0, 100);
            await first.Roll();
        }

        await using var app = ground.LogTo("app.log", ("Compression", "Gzip"));
        app.Log(100, 1);
        await Eventually.Holds(() => ground.Names().Any(static name => name.EndsWith(".gz", StringComparison.Ordinal)) && ground.Names().Count == 2, () => string.Join(", ", ground.Names()));
        Expect.Lines(Messages(0, 100), Unpacked(ground, ground.Names()[0]));
    }

    private static async Task LatestLink(Ground ground)
    {
        await using var app = ground.LogTo("app.log", ("LatestLink", "latest.log"));
        app.Log(0, 10);
        await app.Flush();
        Expect.Equal("app.log", new FileInfo(ground.File("latest.log")).LinkTarget);
        Expect.Lines(Messages(0, 10), ground.Lines("latest.log"));
    }

    private static async Task LatestLinkAfterRoll(Ground ground)
    {
        for (var start = 0; start < 10; start++)
        {
            await using (var app = ground.LogTo("app-{Date:yyyyMMdd}.log", ("LatestLink", "latest.log")))
            {
                app.Log(start * 2, 1);
                await app.Roll();
                app.Log((start * 2) + 1, 1);
            }

            Expect.Lines(Messages((start * 2) + 1, 1), ground.Lines("latest.log"));
        }
    }

    private static long SizeOf(Ground ground) => ground.Names().Sum(name => new FileInfo(ground.File(name)) is { Exists: true } file ? file.Length : 0);

    private static string[] Unpacked(Ground ground, string name)
    {
        using var bytes = new MemoryStream();
        using (var packed = new GZipStream(new MemoryStream(ground.Read(name)), CompressionMode.Decompress))
            packed.CopyTo(bytes);
        return Ground.LinesOf(bytes.ToArray());
    }
}
