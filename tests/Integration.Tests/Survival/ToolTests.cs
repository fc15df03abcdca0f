using System.Globalization;
using System.Text.Json;
using System.Text.RegularExpressions;
using AsyncLog.Tests.Support;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Survival;

/// <summary>The command line tool on what an OTLP instance left for a server that is away.</summary>
public sealed partial class ToolTests
{
    private static readonly string Program = Path.Combine(Repository.Tool, "AsyncLog.Tool.dll");

    [Fact]
    public async Task An_export_to_a_file_is_the_bytes_of_the_records()
    {
        using var folder = new TempFolder();
        var segment = await File.ReadAllBytesAsync(Leave(folder, "\u001b[31mred", "größer"), TestContext.Current.CancellationToken);
        using var export = new ChildProgram("sh", ["-c", "dotnet \"$0\" spool export \"$1\" > \"$2\"", Program, folder.File("spool"), folder.File("exported")], folder.Path);
        Assert.True(await export.Ended() == 0, export.Printed);
        var exported = await File.ReadAllBytesAsync(folder.File("exported"), TestContext.Current.CancellationToken);
        // The bytes of the records are the end of a file.
        Assert.Equal(segment[^exported.Length..], exported);
        Assert.True(exported.AsSpan().IndexOf("\u001b[31mred"u8) > 0);
        Assert.True(exported.AsSpan().IndexOf("größer"u8) > 0);
        Assert.Equal(0x12, exported[0]);
    }

    [Fact]
    public async Task On_a_terminal_control_characters_are_escaped()
    {
        await Shell.Needs("script");
        using var folder = new TempFolder();
        Leave(folder, "\u001b[31mred \u009b5m, größer");
        using var export = new ChildProgram("script", ["-qec", $"dotnet '{Program}' spool export '{folder.File("spool")}'", "/dev/null"], folder.Path);
        Assert.True(await export.Ended() == 0, export.Printed);
        Assert.Contains(export.Output, static line => line.Contains(@"\u001b[31mred \u009b5m, größer", StringComparison.Ordinal));
        // .NET itself prepares a terminal.
        Assert.DoesNotContain(
            export.Output, static line => line.Replace("\u001b[?1h\u001b=", "", StringComparison.Ordinal).Any(static character => char.IsControl(character) && character is not ('\t' or '\r')));
    }

    [Fact]
    public async Task A_record_of_OTLP_is_exported_as_JSON_with_body_and_attributes()
    {
        using var folder = new TempFolder();
        Leave(folder, logger => logger.LogWarning(new EventId(7, "Paid"), "{Order} took {Duration} ms, {Whole} in {Parts}, \u001b\u009b", "ä\n", 1.5, true, new[] { 1, -2 }));
        using var export = Run(folder, "spool", "export", folder.File("spool"), "--json");
        Assert.True(await export.Ended() == 0, export.Printed);
        var line = Assert.Single(export.Output);
        Assert.DoesNotContain(line, char.IsControl);
        var record = JsonDocument.Parse(line).RootElement;
        Assert.Equal(("Warning", "Shop"), (record.GetProperty("level").GetString(), record.GetProperty("category").GetString()));
        Assert.Equal("ä\n took 1.5 ms, True in 1, -2, \u001b\u009b", record.GetProperty("body").GetString());
        var attributes = record.GetProperty("attributes");
        Assert.Equal("ä\n", attributes.GetProperty("Order").GetString());
        Assert.Equal(1.5, attributes.GetProperty("Duration").GetDouble());
        Assert.True(attributes.GetProperty("Whole").GetBoolean());
        Assert.Equal("Paid", record.GetProperty("eventName").GetString());
        Assert.False(record.TryGetProperty("base64", out _));
    }

    [Fact]
    public async Task A_file_that_cannot_be_read_is_named_in_one_line_and_ends_it_with_2()
    {
        using var folder = new TempFolder();
        var path = Leave(folder, "one");
        File.Delete(path);
        File.CreateSymbolicLink(path, path);
        using var list = Run(folder, "spool", "list", folder.File("spool"));
        Assert.Equal(2, await list.Ended());
        Assert.Empty(list.Output);
        var error = Assert.Single(list.Errors);
        Assert.StartsWith("asynclog: ", error, StringComparison.Ordinal);
        Assert.Contains(path, error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("list")]
    [InlineData("verify")]
    [InlineData("export", "--json")]
    public async Task What_cannot_be_read_is_named_and_does_not_hide_the_rest(string verb, params string[] more)
    {
        Shell.NeedsRoot("a process without some rights of root");
        await Shell.Needs("setpriv");
        using var folder = new TempFolder();
        Leave(folder, "one");
        var spool = folder.File("spool");
        // Before and behind the one that can be read, in any order.
        foreach (var name in (string[])["0", "z"])
            Directory.CreateDirectory(Path.Combine(spool, name), UnixFileMode.None);
        using var list = new ChildProgram("setpriv", ["--bounding-set=-dac_override,-dac_read_search", "dotnet", Program, "spool", verb, spool, .. more], folder.Path);
        Assert.Equal(2, await list.Ended());
        Assert.Single(list.Output);
        Assert.Equal(2, list.Errors.Count);
        Assert.All(list.Errors, error => Assert.StartsWith("asynclog: ", error, StringComparison.Ordinal));
        Assert.All((string[])["0", "z"], name => Assert.Contains(list.Errors, error => error.Contains(Path.Combine(spool, name), StringComparison.Ordinal)));
    }

    [Fact]
    public async Task The_tool_reads_the_spool_of_an_application_that_runs()
    {
        const int Records = 4000;
        using var folder = new TempFolder();
        using var factory = LoggerFactory.Create(builder => builder.AddAsyncOtlp(options =>
        {
            options.Endpoint = new Uri("http://127.0.0.1:1");
            options.SpoolPath = folder.File("spool");
            (options.MaxQueueMemory, options.QueueFullMode, options.WaitTimeout) = (1 << 20, QueueFullMode.Wait, TimeSpan.FromMinutes(1));
            options.ShutdownTimeout = TimeSpan.Zero;
        }));
        var logger = factory.CreateLogger("Shop");
        for (var number = 0; number < Records; number++)
            logger.LogInformation("{Number} {Text}", number, new string('x', 500));
        // About 1 KB a record: most of them are on the disk, the others in memory.
        await Eventually.Holds(() => Directory.GetFiles(folder.File("spool"), "*.seg", SearchOption.AllDirectories).Length > 0);

        using var list = Run(folder, "spool", "list", folder.File("spool"));
        Assert.True(await list.Ended() == 0, list.Printed);
        Assert.Matches(@"^otlp-default: \d+ files?, [1-9]\d* records ", Assert.Single(list.Output));
        using var verify = Run(folder, "spool", "verify", folder.File("spool"));
        Assert.True(await verify.Ended() == 0, verify.Printed);
        Assert.EndsWith(" 0 damaged", Assert.Single(verify.Output), StringComparison.Ordinal);
        using var export = Run(folder, "spool", "export", folder.File("spool"), "--json");
        Assert.True(await export.Ended() == 0, export.Printed);
        int[] numbers =
        [
            .. export.Output.Select(static line => JsonDocument.Parse(line).RootElement.GetProperty("body").GetString()!.Split(' ')[0])
                .Select(static number => int.Parse(number, CultureInfo.InvariantCulture)),
        ];
        Assert.InRange(numbers.Length, Records / 2, Records);
        // The first ones are with the worker, and the last ones in memory.
        Assert.InRange(numbers[0], 0, 1000);
        Assert.Equal(Enumerable.Range(numbers[0], numbers.Length), numbers);
    }

    [Theory]
    [InlineData("--help")]
    [InlineData("-h")]
    [InlineData("spool", "--help")]
    [InlineData("recover", "--help")]
    public async Task Help_is_no_error(params string[] arguments)
    {
        using var folder = new TempFolder();
        using var help = Run(folder, arguments);
        Assert.Equal(0, await help.Ended());
        Assert.Empty(help.Errors);
        Assert.Contains(help.Output, static line => line.StartsWith("asynclog spool export DIR", StringComparison.Ordinal));
        Assert.Contains(help.Output, static line => line.StartsWith("asynclog recover FILE", StringComparison.Ordinal));
    }

    [Fact]
    public async Task An_unknown_command_gets_the_usage_as_an_error()
    {
        using var folder = new TempFolder();
        using var unknown = Run(folder, "spool");
        Assert.Equal(2, await unknown.Ended());
        Assert.Empty(unknown.Output);
        Assert.Contains(unknown.Errors, static line => line.StartsWith("asynclog spool list DIR", StringComparison.Ordinal));
    }

    [Fact]
    public async Task The_version_is_that_of_the_package()
    {
        using var folder = new TempFolder();
        using var version = Run(folder, "--version");
        Assert.Equal(0, await version.Ended());
        var prefix = VersionPrefix().Match(await File.ReadAllTextAsync(Path.Combine(Repository.Root, "Directory.Build.props"), TestContext.Current.CancellationToken)).Groups[1].Value;
        Assert.Matches($"^{Regex.Escape(prefix)}(-[0-9A-Za-z.-]+)?$", Assert.Single(version.Output));
    }

    [Fact]
    public async Task A_file_that_is_neither_a_dump_nor_a_crash_buffer_is_called_so()
    {
        using var folder = new TempFolder();
        await File.WriteAllTextAsync(folder.File("shop.log"), "a line\n", TestContext.Current.CancellationToken);
        using var recover = Run(folder, "recover", folder.File("shop.log"));
        Assert.Equal(1, await recover.Ended());
        Assert.Empty(recover.Output);
        Assert.Equal(
            $"asynclog: {folder.File("shop.log")} has no segment of AsyncLog: it is neither a core dump of a process that logs with it nor a file of a crash buffer",
            Assert.Single(recover.Errors));
    }

    private static ChildProgram Run(TempFolder folder, params string[] arguments) => new("dotnet", [Program, .. arguments], folder.Path);

    private static string Leave(TempFolder folder, params string[] messages) => Leave(folder, logger =>
    {
        foreach (var message in messages)
            logger.LogInformation("{Message}", message);
    });

    // Logs to a server that is away. Returns the path of the file that is left.
    private static string Leave(TempFolder folder, Action<ILogger> log)
    {
        using (var factory = LoggerFactory.Create(builder => builder.AddAsyncOtlp(options =>
        {
            options.Endpoint = new Uri("http://127.0.0.1:1");
            options.SpoolPath = folder.File("spool");
            options.ShutdownTimeout = TimeSpan.Zero;
        })))
        {
            log(factory.CreateLogger("Shop"));
        }

        return Assert.Single(Directory.GetFiles(folder.File("spool"), "*.seg", SearchOption.AllDirectories));
    }

    [GeneratedRegex("<VersionPrefix>(.+)</VersionPrefix>")]
    private static partial Regex VersionPrefix();
}
