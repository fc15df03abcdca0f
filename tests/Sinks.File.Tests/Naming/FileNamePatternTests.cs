using System.Text;
using FsCheck;
using FsCheck.Fluent;

namespace AsyncLog.Tests.Naming;

public sealed class FileNamePatternTests
{
    private const string AllowedDates = "a date in a file name is made of yyyy, MM, dd, HH, mm, ss and ww; put other letters between '";

    private const string Unordered =
        "the date must begin with the year and must not omit a unit before a smaller one (yyyy-MM-dd), or the newest files would count as the oldest";

    private static readonly DateTime Date = new(2026, 11, 20, 12, 31, 0, DateTimeKind.Unspecified);

    [Theory]
    [InlineData(RollingInterval.Year, "shop.2026.001.log")]
    [InlineData(RollingInterval.Month, "shop.2026-11.001.log")]
    [InlineData(RollingInterval.Week, "shop.2026-W47.001.log")]
    [InlineData(RollingInterval.Day, "shop.2026-11-20.001.log")]
    [InlineData(RollingInterval.None, "shop.2026-11-20.001.log")]
    [InlineData(RollingInterval.Hour, "shop.2026-11-20-12.001.log")]
    [InlineData(RollingInterval.Minute, "shop.2026-11-20-1231.001.log")]
    public void An_archive_bears_the_date_with_the_precision_of_the_interval(RollingInterval interval, string expected)
    {
        FileNamePattern pattern = Pattern("shop.log", interval);

        Assert.False(pattern.IsDated);
        Assert.Equal("shop.log", pattern.ActiveName(Date));
        Assert.Equal(expected, pattern.NumberedName(Date, 1));
    }

    [Fact]
    public void Weeks_have_the_year_they_belong_to()
    {
        FileNamePattern pattern = Pattern("shop.log", RollingInterval.Week);

        Assert.Equal("shop.2026-W53.001.log", pattern.NumberedName(new DateTime(2026, 12, 28), 1));
        Assert.True(pattern.TryParse("shop.2026-W53.001.log", out ArchiveKey stamp));
        Assert.Equal(new DateTime(2026, 12, 28), stamp.Date);

        // A Friday of the last week of 2026, and the Monday with which the first week of 2025 begins.
        Assert.Equal("shop.2026-W53.001.log", pattern.NumberedName(new DateTime(2027, 1, 1), 1));
        Assert.Equal("shop.2025-W01.001.log", pattern.NumberedName(new DateTime(2024, 12, 30), 1));
        Assert.True(pattern.TryParse("shop.2025-W01.001.log", out stamp));
        Assert.Equal(new DateTime(2024, 12, 30), stamp.Date);
        Assert.False(pattern.TryParse("shop.2025-W53.001.log", out _));
    }

    [Theory]
    [InlineData(1, "shop.2026-11-20.001.log")]
    [InlineData(999, "shop.2026-11-20.999.log")]
    [InlineData(1000, "shop.2026-11-20.1000.log")]
    public void A_number_has_three_digits_and_grows(long number, string expected)
    {
        FileNamePattern pattern = Pattern("shop.log");

        Assert.Equal(expected, pattern.NumberedName(Date, number));
        Assert.True(pattern.TryParse(expected, out ArchiveKey stamp));
        Assert.Equal(new ArchiveKey(Date.Date, number), stamp);
    }

    [Fact]
    public void Further_files_of_a_dated_name_have_a_number_before_the_extension()
    {
        FileNamePattern pattern = Pattern("shop-{Date}.log");

        Assert.True(pattern.IsDated);
        Assert.Equal("shop-2026-11-20.log", pattern.ActiveName(Date));
        Assert.Equal("shop-2026-11-20.log", pattern.NumberedName(Date, 0));
        Assert.Equal("shop-2026-11-20.002.log", pattern.NumberedName(Date, 2));
        Assert.True(pattern.TryParse("shop-2026-11-20.log", out ArchiveKey plain));
        Assert.True(pattern.TryParse("shop-2026-11-20.002.log", out ArchiveKey second));
        Assert.Equal((0, 2), (plain.Number, second.Number));
        Assert.True(plain.CompareTo(second) < 0);
    }

    [Theory]
    [InlineData("{Date:yyyyMMddTHHmm}", "20261120T1231")]
    [InlineData("{date:dd.MM.yy} log", "20.11.26 log")]
    [InlineData("a{{b}}{Date:yyyy'year'MM-dd}", "a{b}2026year11-20")]
    public void Dates_may_have_a_format(string name, string expected)
    {
        FileNamePattern pattern = Pattern(name);

        Assert.Equal(expected, pattern.ActiveName(Date));
        Assert.True(pattern.TryParse(expected, out _));
    }

    [Theory]
    [InlineData("shop2.log")]
    [InlineData("shop.log")]
    [InlineData("shop.log.bak")]
    [InlineData("shop.notes.log")]
    [InlineData("shop.2026-13-45.001.log")]
    [InlineData("shop.2026-02-29.001.log")]
    [InlineData("shop.2026-11-20.01.log")]
    [InlineData("shop.2026-11-20.0001.log")]
    [InlineData("shop.2026-11-20.000.log")]
    [InlineData("shop.2026-11-20.+01.log")]
    [InlineData("shop.2026-11-20.001.log.bak")]
    [InlineData("shop.2026-11-20.001.log.gz.gz")]
    [InlineData("shop.2026-11-20.001.logx")]
    [InlineData("xshop.2026-11-20.001.log")]
    [InlineData("Shop.2026-11-20.001.log")]
    [InlineData("shop.٢٠٢٦-11-20.001.log")]
    [InlineData("shop.gz")]
    [InlineData("notes.gz")]
    public void Names_this_set_cannot_give_are_foreign(string name) => Assert.False(Pattern("shop.log").TryParse(name, out _));

    [Fact]
    public void A_compressed_archive_is_its_archive()
    {
        Assert.True(Pattern("shop.log").TryParse("shop.2026-11-20.007.log.gz", out ArchiveKey stamp));
        Assert.Equal(new ArchiveKey(Date.Date, 7), stamp);
    }

    [Theory]
    [InlineData("{Number}.log", RollingInterval.None, "001.log")]
    [InlineData("{Name}.{Number}5{Extension}", RollingInterval.None, "shop.0015.log")]
    [InlineData("{Date:yyyyMMdd}{Number}-{Name}", RollingInterval.Day, "20261120001-shop")]
    [InlineData("old {Name} {Number} {Date}{Extension}", RollingInterval.Day, "old shop 001 2026-11-20.log")]
    public void Archive_names_may_be_anything_that_can_be_read_back(string archive, RollingInterval interval, string expected)
    {
        FileNamePattern pattern = Pattern("shop.log", interval, archive);

        Assert.Equal(expected, pattern.NumberedName(Date, 1));
        Assert.True(pattern.TryParse(expected, out ArchiveKey stamp));
        Assert.Equal(1, stamp.Number);
    }

    [Theory]
    [InlineData("{Name}.{Date}{Extension}", "must contain {Number} exactly once")]
    [InlineData("{Name}.{Number}{Number}.{Date}", "must contain {Number} exactly once")]
    [InlineData("old/{Name}.{Date}.{Number}", "must be a file name without a directory")]
    [InlineData("{Name}.{Date:yyyy/MM/dd}.{Number}{Extension}", "must be a file name without a directory")]
    [InlineData("{Name}.{Number}", "must contain {Date} because RollingInterval is not None")]
    [InlineData("{Name}.{Date:YYYY}.{Number}", AllowedDates)]
    [InlineData("{Name}.{Nummer}.{Date}", "unknown token {Nummer}; known are {Name}, {Date}, {Number} and {Extension}")]
    [InlineData("{Name}.{Number:000}.{Date}", "{Number} takes no format")]
    [InlineData("{Name}.{Number}.{Date", "'{' stands alone: write {{ for a brace")]
    [InlineData("{Name}.{Number}.{Date:K}", AllowedDates)]
    [InlineData("{Name}.{Date:MM-dd}.{Number}{Extension}", Unordered)]
    [InlineData("{Name}.{Date:dd}.{Number}{Extension}", Unordered)]
    [InlineData("{Name}.{Date:yyyy-dd}.{Number}{Extension}", Unordered)]
    [InlineData("{Name}.{Date:yyyy-MM-HH}.{Number}{Extension}", Unordered)]
    [InlineData("{Name}.{Date:yyyy-MM-dd-mm}.{Number}{Extension}", Unordered)]
    [InlineData("{Name}.{Date:'W'ww}.{Number}{Extension}", Unordered)]
    public void Archive_names_that_cannot_work_are_refused(string archive, string rule) =>
        Assert.Equal(rule, AsyncFileRules.ArchiveName(archive, RollingInterval.Day));

    [Theory]
    [InlineData("shop-{Date:yyyy-MM}.log", RollingInterval.Day)]
    [InlineData("shop-{Date:yyyy-MM-dd}.log", RollingInterval.Hour)]
    [InlineData("shop-{Date:MM-dd}.log", RollingInterval.Day)]
    [InlineData("shop-{Date:HHmm}.log", RollingInterval.Minute)]
    [InlineData("shop-{Date:yyyy}.log", RollingInterval.Week)]
    public void A_dated_path_must_tell_the_periods_apart(string name, RollingInterval interval)
    {
        Assert.Null(FileNameParser.Parse(name, AsyncFileLoggerOptions.DefaultArchiveName, interval, out FileNameError? error));
        Assert.Equal(new FileNameError($"the date in the name must differ for every {interval}", IsArchiveName: false), error);
    }

    [Theory]
    [InlineData("{Name}.{Date:MM-dd}.{Number}{Extension}", Unordered)]
    [InlineData("{Name}.{Number}{Extension}", null)]
    [InlineData("{Name}.{Date:yy}.{Number}{Extension}", null)]
    [InlineData("{Name}.{Date:dd.MM.yyyy}.{Number}{Extension}", null)]
    [InlineData("{Name}.{Date:yyyy-MM-dd-HHmmss}.{Number}{Extension}", null)]
    public void Archive_names_without_an_interval_are_in_the_order_of_time_too(string archive, string? rule) =>
        Assert.Equal(rule, AsyncFileRules.ArchiveName(archive, RollingInterval.None));

    [Fact]
    public void A_dated_path_without_an_interval_is_in_the_order_of_time_too()
    {
        Assert.Null(FileNameParser.Parse("shop-{Date:MM-dd}.log", AsyncFileLoggerOptions.DefaultArchiveName, RollingInterval.None, out FileNameError? error));
        Assert.Equal(new FileNameError(Unordered, IsArchiveName: false), error);
    }

    [Fact]
    public void Names_that_could_become_longer_than_255_bytes_are_refused()
    {
        // 34 bytes come with the longest name, which a file has while it is compressed: ".", ".2026-11-20", ".999999", ".gz", ".4194304", ".tmp".
        Assert.NotNull(FileNameParser.Parse(new string('x', 221), AsyncFileLoggerOptions.DefaultArchiveName, RollingInterval.Day, out _));
        Assert.Null(FileNameParser.Parse(new string('x', 222), AsyncFileLoggerOptions.DefaultArchiveName, RollingInterval.Day, out FileNameError? error));
        Assert.Equal(new FileNameError("file names would be 256 bytes long; the limit is 255", IsArchiveName: false), error);
        Assert.Null(FileNameParser.Parse(new string('ü', 115), AsyncFileLoggerOptions.DefaultArchiveName, RollingInterval.Day, out error));
        Assert.Equal(new FileNameError("file names would be 264 bytes long; the limit is 255", IsArchiveName: false), error);
    }

    [Fact]
    public void Every_name_that_is_accepted_stays_in_its_folder_and_within_255_bytes_and_is_read_back()
    {
        Gen<string> piece = Gen.OneOf(
            ArbMap.Default.GeneratorFor<NonNull<string>>().Select(text => text.Get),
            Gen.Elements("..", "/", "\\", "\0", "\n", "shop", ".log", "{Date}", "{Date:yyyyMMdd}", "{{", "}}", "{", "}", ".001", "{Number}", "ü", "%"),
            Gen.Choose(1, 300).Select(length => new string('n', length)));
        var names = Gen.ArrayOf(piece).Select(pieces => string.Concat(pieces)).ToArbitrary();
        int accepted = 0;
        Prop.ForAll(names, name =>
        {
            string path = Path.Join("/srv/logs", name.Replace('/', '_'));
            FileNamePattern? pattern = AsyncFilePath.Resolve(path, AsyncFileLoggerOptions.DefaultArchiveName, RollingInterval.Day, out FileNameError? error);
            accepted += pattern is null ? 0 : 1;
            return pattern is null
                ? error is not null
                : IsHarmless(pattern.ActiveName(Date)) && IsHarmless(pattern.NumberedName(Date, 999_999))
                    && pattern.TryParse(pattern.NumberedName(Date.Date, 17), out ArchiveKey stamp) && stamp == new ArchiveKey(Date.Date, 17);
        }).QuickCheckThrowOnFailureWith(20_000);
        Assert.True(accepted > 1000, $"{accepted} of 20,000 names were accepted");
    }

    [Fact]
    public void Successors_are_known_by_their_name()
    {
        FileNamePattern pattern = Pattern("shop.log");

        Assert.Equal(".shop.log.42.tmp", pattern.SuccessorName(42));
        Assert.True(pattern.IsSuccessorName(".shop.log.42.tmp"));
        Assert.False(pattern.IsSuccessorName(".shop.log.042.tmp"));
        Assert.False(pattern.IsSuccessorName(".shop.log.tmp"));
        Assert.False(pattern.IsSuccessorName(".shop.log.x.tmp"));
    }

    private static bool IsHarmless(string name) =>
        !name.Contains('/') && !name.Contains('\0') && name.Length > 0 && Encoding.UTF8.GetByteCount(name) <= 255;

    private static FileNamePattern Pattern(
        string name, RollingInterval interval = RollingInterval.Day, string archive = AsyncFileLoggerOptions.DefaultArchiveName)
    {
        FileNamePattern? pattern = FileNameParser.Parse(name, archive, interval, out FileNameError? error);
        Assert.True(pattern is not null, error?.Rule);
        return pattern;
    }
}
