using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.Loader;
using System.Text.Json;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Delivery;

/// <summary>A host of plug-ins or of tests loads AsyncLog into a load context of its own, and unloads it.</summary>
public sealed class UnloadTests
{
    [Fact]
    public async Task A_load_context_with_disposed_providers_is_unloaded()
    {
        var context = LoadAndRun();

        await Eventually.Holds(() =>
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
            return !context.IsAlive;
        });
    }

    [Theory]
    [InlineData(nameof(PlugIn.LogEnums))]
    [InlineData(nameof(PlugIn.LogObjects))]
    [InlineData(nameof(PlugIn.LogOthers))]
    public async Task A_plug_in_whose_values_were_logged_is_unloaded_while_the_loggers_live(string method)
    {
        var (text, json) = (new TestSink(), new TestSink());
        using var texts = new TestPipeline(text);
        using var jsons = new TestPipeline(json, static options => (options.Format, options.Template, options.IncludeScopes) = ("Json", null, true));
        var contexts = Enumerable.Range(0, 3).Select(_ => LogFromPlugIn(method, texts.Logger, jsons.Logger)).ToList();

        await Eventually.Holds(() =>
        {
            LetSerializerForget();
            GC.Collect();
            GC.WaitForPendingFinalizers();
            return !contexts.Exists(static context => context.IsAlive);
        });
        Assert.True(await texts.Flush());
        Assert.True(await jsons.Flush());
        Assert.Equal((120, 120), (text.Records.Count, json.Records.Count));
    }

    [Fact]
    public void What_is_compiled_for_an_enum_of_a_plug_in_is_not_kept_with_the_template()
    {
        // With two messages in it, a record has none that is merged into the layout.
        using var texts = new TestPipeline(new TestSink(), static options => options.Template = "{Message} {Message}{NewLine}");
        LogFromPlugIn(nameof(PlugIn.LogEnums), texts.Logger);
        Assert.Null(TemplateTable.Find(PlugIn.EnumTemplate)!.FastPaths);
        // What is compiled for the same enum of the host is.
        PlugIn.LogEnums(texts.Logger);
        Assert.NotNull(TemplateTable.Find(PlugIn.EnumTemplate)!.FastPaths);
    }

    // System.Text.Json keeps what it compiled for the members of a type for a second, and looks for what is older when it compiles the next one.
    private static void LetSerializerForget() => JsonSerializer.Serialize(new { A = 1 }, new JsonSerializerOptions { MaxDepth = 9 });

    // Not inlined: a local of the test would keep the context alive.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference LogFromPlugIn(string method, params ReadOnlySpan<ILogger> loggers)
    {
        var context = new AssemblyLoadContext(null, isCollectible: true);
        var run = context.LoadFromAssemblyPath(typeof(UnloadTests).Assembly.Location).GetType(typeof(PlugIn).FullName!)!.GetMethod(method)!;
        foreach (var logger in loggers)
            run.Invoke(null, [logger]);
        context.Unload();
        return new WeakReference(context);
    }

    // Not inlined: a local of the test would keep the context alive.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference LoadAndRun()
    {
        var context = new OwnContext();
        var run = context.LoadFromAssemblyPath(typeof(UnloadTests).Assembly.Location).GetType(typeof(UnloadTests).FullName!)!.GetMethod(nameof(Run), BindingFlags.Static | BindingFlags.NonPublic)!;
        Assert.NotSame(typeof(UnloadTests).Assembly, run.DeclaringType!.Assembly);
        Assert.Equal(30L, run.Invoke(null, null));
        context.Unload();
        return new WeakReference(context);
    }

    // Runs in the other load context, with its own copy of AsyncLog.
    private static long Run()
    {
        var written = 0L;
        for (var i = 0; i < 3; i++)
        {
            using var pipeline = new TestPipeline(new TestSink(), process: static options => options.FlushOnCrash = true);
            for (var number = 0; number < 10; number++)
                pipeline.Logger.LogInformation("record {Number}", number);
            pipeline.Dispose();
            written += pipeline.Status.Written;
        }

        return written;
    }

    private sealed class OwnContext() : AssemblyLoadContext(isCollectible: true)
    {
        protected override Assembly? Load(AssemblyName assemblyName)
            => Array.Find([typeof(SinkOptions).Assembly, typeof(TestSinkExtensions).Assembly], assembly => assembly.GetName().Name == assemblyName.Name) is { } own
                ? LoadFromAssemblyPath(own.Location) : null;
    }
}
