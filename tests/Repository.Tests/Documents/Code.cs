using System.Reflection;
using Microsoft.AspNetCore.Builder;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Documents;

/// <summary>A block of C#, compiled as a program of the web SDK, or of the one for class libraries and tests.</summary>
internal sealed class Code
{
    // What a project has by ImplicitUsings.
    private const string Plain =
        """
        global using System;
        global using System.Collections.Generic;
        global using System.IO;
        global using System.Linq;
        global using System.Net.Http;
        global using System.Threading;
        global using System.Threading.Tasks;
        """;

    // What a program of the web SDK has in addition, and the names that a fragment may use without declaring them: a local of the block hides them.
    private const string Web =
        """
        global using System.Net.Http.Json;
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
        public partial class Program
        {
            public static WebApplicationBuilder builder = null!;
            public static WebApplication app = null!;
            public static ILogger logger = null!;
            public static ILoggingBuilder logging = null!;
            public static IServiceCollection services = null!;
        }
        """;

    private static readonly CSharpParseOptions Language = new(LanguageVersion.Latest);
    private static readonly string[] Obsolete = ["CS0612", "CS0618", "CS0619"];

    private static readonly Lazy<MetadataReference[]> References = new(static () =>
        [.. ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator).Select(static path => MetadataReference.CreateFromFile(path))]);

    private readonly CSharpCompilation _compilation;

    /// <param name="isWeb">False: a project without the web SDK, such as that of <c>dotnet new xunit</c>.</param>
    public Code(string text, bool isWeb = true)
    {
        var block = CSharpSyntaxTree.ParseText(text, Language);
        var isProgram = block.GetCompilationUnitRoot().Members.OfType<GlobalStatementSyntax>().Any();
        List<SyntaxTree> trees = [block, CSharpSyntaxTree.ParseText(Plain, Language)];
        if (isWeb)
            trees.Add(CSharpSyntaxTree.ParseText(Web, Language));
        if (isProgram && isWeb)
            trees.Add(CSharpSyntaxTree.ParseText(Names, Language));
        var options = new CSharpCompilationOptions(
            isProgram ? OutputKind.ConsoleApplication : OutputKind.DynamicallyLinkedLibrary, allowUnsafe: true, nullableContextOptions: NullableContextOptions.Enable);
        _compilation = CSharpCompilation.Create("Block", trees, References.Value, options);
    }

    /// <summary>The errors of the compiler, and what is obsolete.</summary>
    public IReadOnlyList<string> Errors => [.. _compilation.GetDiagnostics()
        .Where(static found => found.Severity == DiagnosticSeverity.Error || Obsolete.Contains(found.Id))
        .Select(static found => found.ToString())];

    /// <summary>Runs the block with what it may use: an application that is being built.</summary>
    public void Run(WebApplicationBuilder builder)
        => Run(("builder", builder), ("logging", builder.Logging), ("services", builder.Services));

    /// <summary>Runs the block with an application that is built, and a logger.</summary>
    public void Run(WebApplication app, string category)
        => Run(("app", app), ("logger", app.Services.GetRequiredService<ILoggerFactory>().CreateLogger(category)));

    /// <summary>Writes the compiled program to a file.</summary>
    public void Save(string path)
    {
        Assert.Empty(Errors);
        Assert.True(_compilation.Emit(path).Success);
    }

    /// <summary>Loads the compiled block into this process.</summary>
    public Assembly Load()
    {
        Assert.Empty(Errors);
        using var stream = new MemoryStream();
        Assert.True(_compilation.Emit(stream).Success);
        return Assembly.Load(stream.ToArray());
    }

    private void Run(params ReadOnlySpan<(string Name, object Value)> given)
    {
        var assembly = Load();
        foreach (var (name, value) in given)
            assembly.GetType("Program")!.GetField(name)!.SetValue(null, value);
        assembly.EntryPoint!.Invoke(null, assembly.EntryPoint.GetParameters().Length == 0 ? null : [Array.Empty<string>()]);
    }
}
