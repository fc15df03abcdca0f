namespace AsyncLog.Tests.Libraries;

public sealed class FileLineTests : IDisposable
{
    private const string Mask = "####-##-## ##:##:##.###";

    private readonly DirectoryInfo _directory = Directory.CreateTempSubdirectory("bench-lines-");

    /// <summary>Every library that writes text to a file, but for the MEL console, whose layout is its own, and its file, which a parent process makes.</summary>
    public static TheoryData<string> Libraries { get; } = [.. LibraryCatalogue.Names.Where(static name => !name.EndsWith("-json", StringComparison.Ordinal) && !name.Contains("console", StringComparison.Ordinal) && WritesFiles(name))];

    [Theory]
    [MemberData(nameof(Libraries))]
    public void The_line_of_every_library_is_the_same_but_for_its_time(string name)
    {
        using var library = LibraryCatalogue.Create(name, new LibrarySetup(_directory.FullName, Drops: false));
        using (var host = new LoggerHost(library))
            OrderLog.Generated(host.Logger, 1);

        Assert.NotEmpty(library.Files);
        Assert.All(library.Files, static file =>
        {
            var text = File.ReadAllText(file);
            Assert.Equal(Mask, string.Concat(text[..Mask.Length].Select(static character => char.IsAsciiDigit(character) ? '#' : character)));
            Assert.Equal(" [INFO] [bench] Order 1 for customer ACME-Corp-EU took 0.001 ms with status completed-ok\n", text[Mask.Length..]);
        });
    }

    [Fact]
    public void Libraries_of_all_makers_are_compared()
        => Assert.Equal(["asynclog", "nlog", "serilog", "zlogger"], Libraries.Select(static row => row.Data.Split('-')[0]).Distinct());

    public void Dispose() => _directory.Delete(recursive: true);

    private static bool WritesFiles(string name)
    {
        using var library = LibraryCatalogue.Create(name, new LibrarySetup(".", Drops: false));
        return library.Files.Count > 0;
    }
}
