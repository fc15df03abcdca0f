using FsCheck;
using FsCheck.Fluent;

namespace AsyncLog.Tests.Options;

public sealed class TokenTextTests
{
    private static readonly TokenText Tokens = new(
        new ApplicationInfo { ApplicationName = "My Shop/../x", EnvironmentName = "..Prod", ContentRootPath = "/srv/shop" }, "errors", name => name switch { "HOME" => "/home/shop", "INNER" => "{Instance}", "EMPTY" => "", _ => null });

    [Theory]
    [InlineData("logs/a.log", "/srv/shop/logs/a.log")]
    [InlineData("/var/log/a.log", "/var/log/a.log")]
    [InlineData("../a.log", "/srv/a.log")]
    [InlineData("logs//x/./a.log", "/srv/shop/logs/x/a.log")]
    [InlineData("logs/{ApplicationName}.log", "/srv/shop/logs/My_Shop_.._x.log")]
    [InlineData("logs/{environmentname}.log", "/srv/shop/logs/Prod.log")]
    [InlineData("{Instance}/a.log", "/srv/shop/errors/a.log")]
    [InlineData("%HOME%/a.log", "/home/shop/a.log")]
    [InlineData("%HOME%%EMPTY%/a.log", "/home/shop/a.log")]
    [InlineData("logs/%INNER%.log", "/srv/shop/logs/errors.log")]
    [InlineData("logs/100%%.log", "/srv/shop/logs/100%.log")]
    [InlineData("logs/{{x}}.log", "/srv/shop/logs/{{x}}.log")]
    [InlineData("logs/a-{Date}.log", "/srv/shop/logs/a-{Date}.log")]
    [InlineData("logs/a-{date:yyyyMMdd}.log", "/srv/shop/logs/a-{Date:yyyyMMdd}.log")]
    [InlineData("~/a.log", "/srv/shop/~/a.log")]
    public void A_path_is_expanded_and_absolute(string text, string path) => Assert.Equal(new ParseResult<string>(Path.GetFullPath(path)), Tokens.ExpandPath(text));

    [Theory]
    [InlineData("%NOPE%/a.log", "the environment variable 'NOPE' is not defined: define it, or write %% for a percent sign", null)]
    [InlineData("100%.log", "'%' begins an environment variable: write %% for a percent sign", null)]
    [InlineData("{AplicationName}.log", "unknown token {AplicationName}: expected {ApplicationName}, {EnvironmentName}, {MachineName}, {ProcessId}, {Instance} or {Date}", "{ApplicationName}")]
    [InlineData("{Version}.log", "unknown token {Version}: expected {ApplicationName}, {EnvironmentName}, {MachineName}, {ProcessId}, {Instance} or {Date}", null)]
    [InlineData("{Instance:x}.log", "{Instance} takes no format: write {Instance}", null)]
    [InlineData("a{.log", "'{' stands alone: write {{ for a brace", null)]
    [InlineData("a}.log", "'}' stands alone: write }} for a brace", null)]
    [InlineData("{Date}/a.log", "{Date} is allowed only in the file name", null)]
    [InlineData("a-{Date:yyyy/MM}.log", "the format of {Date} must produce part of a file name, without / and \\", null)]
    [InlineData("a-{Date:%}.log", "'%' begins an environment variable: write %% for a percent sign", null)]
    [InlineData("a-{Date:X}.log", "expected a .NET date format in {Date:…}, such as {Date:yyyy-MM-dd}", null)]
    [InlineData("a-{Date:YYYY-MM-DD}.log", "{Date:YYYY-MM-DD} prints the letter 'Y' as it is", "{Date:yyyy-MM-dd}")]
    [InlineData("logs/", "expected the path of a file", null)]
    [InlineData("logs/..", "expected the path of a file", null)]
    [InlineData("a\0b", "must not contain a null character", null)]
    public void A_wrong_path_says_what_is_wrong(string text, string rule, string? suggestion) =>
        Assert.Equal(ParseResult<string>.Invalid(rule, suggestion), Tokens.ExpandPath(text));

    [Fact]
    public void A_text_has_single_braces_and_no_date()
    {
        Assert.Equal("# {errors}", Tokens.Expand("# {{{Instance}}}").Value);
        Assert.Equal("unknown token {Date}: expected {ApplicationName}, {EnvironmentName}, {MachineName}, {ProcessId} or {Instance}", Tokens.Expand("{Date}").Rule);
        Assert.Equal(Environment.ProcessId.ToString(System.Globalization.CultureInfo.InvariantCulture), Tokens.Expand("{ProcessId}").Value);
    }

    // What a hostile name is made of, beside whatever text FsCheck finds.
    private static readonly string[] Hostile = ["..", "/", "\\", "\0", "\u2215", "\uff0f", "%2e", "~", ":", "CON", "a", ".", "é", " ", "\n", "\ud800", "{Instance}", "%HOME%"];

    [Fact]
    public void No_token_value_can_leave_its_folder()
    {
        Gen<string> hostile = Gen.Elements(Hostile).ListOf().Select(static parts => string.Concat(parts));
        Gen<string> any = ArbMap.Default.GeneratorFor<string>();
        Prop.ForAll(Gen.OneOf(hostile, any).ToArbitrary(), value =>
        {
            TokenText tokens = new(new ApplicationInfo { ApplicationName = value ?? "", EnvironmentName = value ?? "", ContentRootPath = "/srv" }, "i", _ => null);
            string path = tokens.ExpandPath("logs/{ApplicationName}/{EnvironmentName}.log").Value;
            string folder = Path.GetFullPath("/srv/logs/");
            return path.StartsWith(folder, StringComparison.Ordinal) && path[folder.Length..].Count(static character => character == Path.DirectorySeparatorChar) == 1
                && !TokenText.Clean(value ?? "").StartsWith('.');
        }).Check(Config.QuickThrowOnFailure.WithMaxTest(ReleaseRun.Count(usual: 10_000, release: 100_000)));
    }
}
