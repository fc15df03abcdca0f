namespace AsyncLog.Tests.Documents;

/// <summary>The C# of the documents: every block is compiled, as a program or as a fragment of one.</summary>
public sealed class CodeTests
{
    public static TheoryData<Block> Blocks => Document.BlocksOf("csharp", "cs");

    [Theory]
    [MemberData(nameof(Blocks))]
    public void A_block_of_CSharp_compiles(Block block) => Assert.Equal([], new Code(block.Text).Errors);

    [Theory]
    [InlineData("builder.Logging.AddAsyncFil();", "CS1061")]
    [InlineData("using var loggers = LoggerFactory.Create(logging => logging.AddAsyncFile(options => options.Pfad = \"a\"));", "CS1061")]
    [InlineData("logger.LogInformation(\"no end\")", "CS1002")]
    public void A_mistake_in_a_block_is_found(string text, string error) => Assert.Contains(error, Assert.Single(new Code(text).Errors), StringComparison.Ordinal);
}
