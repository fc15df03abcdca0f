using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace AsyncLog.Documents;

/// <summary>The C# of the documents: every block is compiled, as a program or as a fragment of one.</summary>
public sealed class CodeTests
{
    // What a program of the web SDK has by ImplicitUsings, and the names that a fragment may use without declaring them: a local of the block hides them.
    private const string Surroundings =
        """
        global using System;
        global using System.Collections.Generic;
        global using System.IO;
        global using System.Linq;
        global using System.Net.Http;
        global using System.Net.Http.Json;
        global using System.Threading;
        global using System.Threading.Tasks;
        global using Microsoft.AspNetCore.Builder;
        global using Microsoft.AspNetCore.Hosting;
        global using Microsoft.AspNetCore.Http;
        global using Microsoft.AspNetCore.Routing;
        global using Microsoft.Extensions.Configuration;
        global using Microsoft.Extensions.DependencyInjection;
        global using Microsoft.Extensions.Hosting;
        global using Microsoft.Extensions.Logging;
        """;

    private const string Names =
        """
        internal partial class Program
        {
            private static WebApplicationBuilder builder = null!;
            private static WebApplication app = null!;
            private static ILogger logger = null!;
            private static ILoggingBuilder logging = null!;
            private static IServiceCollection services = null!;
        }
        """;

    private static readonly CSharpParseOptions Language = new(LanguageVersion.Latest);
    private static readonly string[] Obsolete = ["CS0612", "CS0618", "CS0619"];

    private static readonly Lazy<MetadataReference[]> References = new(static () =>
        [.. ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator).Select(static path => MetadataReference.CreateFromFile(path))]);

    public static TheoryData<Block> Blocks => Document.BlocksOf("csharp", "cs");

    [Theory]
    [MemberData(nameof(Blocks))]
    public void A_block_of_CSharp_compiles(Block block) => Assert.Equal([], Errors(block.Text));

    [Theory]
    [InlineData("builder.Logging.AddAsyncFil();", "CS1061")]
    [InlineData("using var loggers = LoggerFactory.Create(logging => logging.AddAsyncFile(options => options.Pfad = \"a\"));", "CS1061")]
    [InlineData("logger.LogInformation(\"no end\")", "CS1002")]
    public void A_mistake_in_a_block_is_found(string text, string error) => Assert.Contains(error, Assert.Single(Errors(text)), StringComparison.Ordinal);

    private static string[] Errors(string text)
    {
        var block = CSharpSyntaxTree.ParseText(text, Language, cancellationToken: TestContext.Current.CancellationToken);
        var isProgram = block.GetCompilationUnitRoot(TestContext.Current.CancellationToken).Members.OfType<GlobalStatementSyntax>().Any();
        List<SyntaxTree> trees = [block, CSharpSyntaxTree.ParseText(Surroundings, Language, cancellationToken: TestContext.Current.CancellationToken)];
        if (isProgram)
            trees.Add(CSharpSyntaxTree.ParseText(Names, Language, cancellationToken: TestContext.Current.CancellationToken));
        var options = new CSharpCompilationOptions(
            isProgram ? OutputKind.ConsoleApplication : OutputKind.DynamicallyLinkedLibrary, allowUnsafe: true, nullableContextOptions: NullableContextOptions.Enable)
            .WithSpecificDiagnosticOptions([KeyValuePair.Create("ASYNCLOG001", ReportDiagnostic.Suppress)]);
        var compilation = CSharpCompilation.Create("Block", trees, References.Value, options);
        return [.. compilation.GetDiagnostics(TestContext.Current.CancellationToken)
            .Where(static found => found.Severity == DiagnosticSeverity.Error || Obsolete.Contains(found.Id))
            .Select(static found => found.ToString())];
    }
}
