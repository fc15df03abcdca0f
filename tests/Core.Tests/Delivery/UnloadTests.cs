using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.Loader;
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
            using var pipeline = new TestPipeline(new TestSink(), process: static options => options.FlushOnCrash = options.FlushOnSignal = true);
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
            => assemblyName.Name == typeof(SinkOptions).Assembly.GetName().Name ? LoadFromAssemblyPath(typeof(SinkOptions).Assembly.Location) : null;
    }
}
